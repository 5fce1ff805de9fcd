import type { ReportRow } from '@portal/contract/admin-uploads'
import { type CsvValue, csvLine } from '@portal/format/csv'

/** A row as any version of the API may send it: only the status is certain (specification, section 3). */
export type ReportedRow = Pick<ReportRow, 'status'> & Partial<ReportRow>

const knownColumns = ['row', 'certificate_number', 'status', 'error', 'outcome', 'changes', 'warning']
/** Columns that every file has. */
const requiredColumns = ['row', 'certificate_number', 'status', 'error']

const entriesOf = (row: ReportedRow) => Object.entries(row) as [string, unknown][]

const toCell = (value: unknown): CsvValue =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value)

/** Formats the additional columns of a row, such as `line: 3, reason: Bad date`. */
export const formatOtherColumns = (row: ReportedRow): string =>
  entriesOf(row)
    .filter(([column, value]) => !knownColumns.includes(column) && toCell(value) !== null && value !== '')
    .map(([column, value]) => `${column}: ${toCell(value)}`)
    .join(', ')

/** Returns the CSV rows of a report, with every column that any row has. */
export function toReportCsv(report: readonly ReportedRow[]): string[] {
  const columns = [...new Set([...requiredColumns, ...report.flatMap(row => Object.keys(row))])]
  const lines = report.map(row => {
    const values = new Map(entriesOf(row))
    return csvLine(columns.map(column => toCell(values.get(column))))
  })
  return [csvLine(columns), ...lines]
}
