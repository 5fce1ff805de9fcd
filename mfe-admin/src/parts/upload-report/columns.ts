import type { ReportRow } from '@portal/contract/admin-uploads'
import { type CsvValue, csvLine } from '@portal/format/csv'

/** A row as an API may send it: only the status is certain, the other columns are not fixed (specification, section 3). */
export type ReportedRow = Pick<ReportRow, 'status'> & Partial<ReportRow>

const shown = ['row', 'certificate_number', 'status', 'error', 'outcome', 'changes', 'warning']
/** In every file, whether the rows have them or not. */
const always = ['row', 'certificate_number', 'status', 'error']

const entries = (row: ReportedRow) => Object.entries(row) as [string, unknown][]

const cellOf = (value: unknown): CsvValue =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value)

/** What a row says in columns of its own: `line: 3, reason: Bad date`. */
export const otherColumns = (row: ReportedRow): string =>
  entries(row)
    .filter(([column, value]) => !shown.includes(column) && cellOf(value) !== null && value !== '')
    .map(([column, value]) => `${column}: ${cellOf(value)}`)
    .join(', ')

/** The lines of a report's file, with every column that any row has. */
export function reportCsv(report: readonly ReportedRow[]): string[] {
  const columns = [...new Set([...always, ...report.flatMap(row => Object.keys(row))])]
  const lines = report.map(row => {
    const values = new Map(entries(row))
    return csvLine(columns.map(column => cellOf(values.get(column))))
  })
  return [csvLine(columns), ...lines]
}
