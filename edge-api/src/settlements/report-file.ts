import { MAX_SETTLEMENT_ROWS } from '@portal/contract/admin-settlements'
import {
  CURRENCY,
  type ParsedReport,
  type ReportOptions,
  readSettlementReport,
  UnreadableReport,
} from '@portal/rules/settlement-report'
import Papa from 'papaparse'
import { createUnreadableFault } from '../uploads/decoding.ts'
import type { SettlementReport } from './rules.ts'

export interface ReportFile extends Pick<ParsedReport, 'rows' | 'errors'> {
  reports: SettlementReport[]
}

/**
 * Parses the text of a settlement report.
 * @throws Fault `INVALID_CSV` for text that is not a table, lacks the required columns, or has too many rows
 */
export function readReportFile(
  text: string,
  { provider, ...options }: ReportOptions & { provider: string },
): ReportFile {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
  const records = data.map((cells, index) => ({ line: index + 1, cells }))
  try {
    const { parts, ...counted } = readSettlementReport(records, options, MAX_SETTLEMENT_ROWS)
    const reports = parts.map(({ settlement, settledAt, lines }) => ({
      provider,
      reference: settlement,
      currency: CURRENCY,
      settledAt,
      lines,
    }))
    return { reports, ...counted }
  } catch (error) {
    throw error instanceof UnreadableReport ? createUnreadableFault(error.message) : error
  }
}
