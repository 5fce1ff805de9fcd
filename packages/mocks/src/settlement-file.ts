import { MAX_SETTLEMENT_ROWS } from '@portal/contract/admin-settlements'
import { CsvReader } from '@portal/format/csv-reader'
import { type ReportOptions, readSettlementReport, UnreadableReport } from '@portal/rules/settlement-report'
import { Fault } from './fault.ts'
import type { ParsedReport } from './settlements.ts'

/**
 * Parses a settlement report as the API does.
 * @throws Fault `INVALID_CSV` if it is not a table or lacks required columns
 */
export function readSettlementFile(
  text: string,
  { provider, ...options }: ReportOptions & { provider: string },
): { reports: ParsedReport[]; rows: number; errors: { line: number; message: string }[] } {
  const reader = new CsvReader()
  const records = [...reader.push(text.replace(/^\uFEFF/, '')), ...reader.end()]
  try {
    const { parts, ...counted } = readSettlementReport(records, options, MAX_SETTLEMENT_ROWS)
    const reports = parts.map(({ settlement, settledAt, lines }) => ({
      provider,
      reference: settlement,
      settledOn: new Date(settledAt).toISOString(),
      lines,
    }))
    return { reports, ...counted }
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error
    throw new Fault(
      'INVALID_CSV',
      undefined,
      `${error.message} Please save the sheet as "CSV UTF-8" and choose that file.`,
    )
  }
}
