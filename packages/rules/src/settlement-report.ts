import {
  type SettlementColumn,
  type SettlementLineKind,
  settlementColumns,
} from '@portal/contract/admin-settlements'
import { toMinor } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'

/*
 * Parses settlement reports. Columns are found by their names; amounts are in naira. Invalid rows are skipped, and reported
 * with their line numbers.
 */

/** Thrown if a report or a row cannot be read. The message is shown to the person who uploaded the report. */
export class UnreadableReport extends Error {}

export interface ReportOptions {
  /** Values to use if the report lacks these columns. */
  reference?: string | undefined
  /** `YYYY-MM-DD`. */
  settledOn?: string | undefined
}

/** A line of a settlement, in kobo; refunds and chargebacks are negative. */
export interface ReportLine {
  kind: SettlementLineKind
  reference: string
  amountMinor: number
  feeMinor: number | undefined
  netMinor: number | undefined
}

/** The part of a report that belongs to one settlement. */
export interface ReportPart {
  settlement: string
  /** Midnight UTC on the day of the settlement, as a Unix timestamp in milliseconds. */
  settledAt: number
  lines: ReportLine[]
}

export interface ParsedReport {
  parts: ReportPart[]
  rows: number
  errors: { line: number; message: string }[]
}

export const CURRENCY = 'NGN'
const normaliseName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

function findColumns(header: readonly string[]): Map<SettlementColumn, number> {
  const columns = new Map<SettlementColumn, number>()
  for (const [column, names] of Object.entries(settlementColumns) as [
    SettlementColumn,
    readonly string[],
  ][]) {
    const found = header.flatMap((name, index) => (names.includes(normaliseName(name)) ? [index] : []))
    if (found.length > 1)
      throw new UnreadableReport(`The header has more than one column for the ${column.replace('_', ' ')}.`)
    if (found[0] !== undefined) columns.set(column, found[0])
  }
  for (const column of ['reference', 'amount'] as const)
    if (!columns.has(column)) throw new UnreadableReport(`The header has no column for the ${column}.`)
  return columns
}

/** Parses an amount such as `₦5,000.00` or `(5000)`, and returns it in kobo. */
function parseMinor(text: string, column: string): number {
  const plain = text.replace(/^NGN|[₦,\s]/gi, '')
  const isNegative = /^\(.+\)$/.test(plain)
  const digits = plain.replace(/^\((.+)\)$/, '$1')
  if (!/^-?\d{1,12}(\.\d{1,2})?0*$/.test(digits))
    throw new UnreadableReport(`The ${column} "${text}" is not an amount.`)
  const minor = toMinor(Number(digits))
  return isNegative ? -minor : minor
}

const kinds: readonly (readonly [RegExp, SettlementLineKind])[] = [
  [/^(payment|charge|purchase|transaction|sale|successful|success)?$/, 'payment'],
  [/^refund/, 'refund'],
  [/^(chargeback|dispute)/, 'chargeback'],
]

const parseLineKind = (text: string): SettlementLineKind =>
  kinds.find(([pattern]) => pattern.test(normaliseName(text)))?.[1] ?? 'adjustment'

/**
 * Parses a date such as `2026-11-23`, optionally with a time, or `23/11/2026`, and returns a Unix timestamp in milliseconds.
 */
function parseTime(text: string): number {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text) ?? []
  const date = year ? `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}` : text.slice(0, 10)
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    throw new UnreadableReport(`The settlement date "${text}" is not a date. Use 2026-11-23 or 23/11/2026.`)
  return at
}

function parseRow(
  cell: (column: SettlementColumn) => string,
  { reference: defaultReference, settledOn }: ReportOptions,
) {
  const currency = cell('currency') || CURRENCY
  if (currency.toUpperCase() !== CURRENCY)
    throw new UnreadableReport(`The currency ${currency} is not supported. Settlements are in naira.`)
  const kind = parseLineKind(cell('type'))
  const reference = cell('reference')
  if (reference === '' && kind === 'payment') throw new UnreadableReport('The reference is missing.')
  const parseOptional = (column: 'fee' | 'net') =>
    cell(column) === '' ? undefined : parseMinor(cell(column), column)
  const sign = kind === 'refund' || kind === 'chargeback' ? -1 : 1
  const applySign = (minor: number) => (sign < 0 ? -Math.abs(minor) : minor)
  const amountMinor = applySign(parseMinor(cell('amount'), 'amount'))
  if (kind === 'payment' && amountMinor < 0)
    throw new UnreadableReport('The amount of a payment cannot be negative.')
  const feeMinor = parseOptional('fee')
  const net = parseOptional('net')
  const netMinor = net === undefined ? undefined : applySign(net)
  if (feeMinor !== undefined && netMinor !== undefined && amountMinor - feeMinor !== netMinor)
    throw new UnreadableReport('The amount minus the fee does not equal the net amount.')
  const date = cell('settled_on') || (settledOn ?? '')
  if (date === '')
    throw new UnreadableReport('The settlement date is missing: choose one, or add a column for it.')
  const settledAt = parseTime(date)
  const settlement = cell('settlement') || defaultReference || new Date(settledAt).toISOString().slice(0, 10)
  return { line: { kind, reference, amountMinor, feeMinor, netMinor }, settlement, settledAt }
}

/**
 * Parses the records of a file, of which the first is the header.
 * @param maxRows maximum number of rows
 * @throws UnreadableReport if it is not a table, lacks required columns, or has too many rows
 */
export function readSettlementReport(
  records: Iterable<{ line: number; cells: readonly string[] }>,
  options: ReportOptions,
  maxRows: number,
): ParsedReport {
  const parts = new Map<string, ReportPart>()
  const errors: ParsedReport['errors'] = []
  let columns: Map<SettlementColumn, number> | undefined
  let rows = 0
  for (const { line, cells } of records) {
    if (cells.every(cell => cell.trim() === '')) continue
    const knownColumns = columns
    if (!knownColumns) {
      columns = findColumns(cells)
      continue
    }
    if (++rows > maxRows) throw new UnreadableReport(`The file has more than ${formatCount(maxRows)} rows.`)
    try {
      const row = parseRow(column => (cells[knownColumns.get(column) ?? -1] ?? '').trim(), options)
      const part = parts.get(row.settlement)
      if (part) part.lines.push(row.line)
      else
        parts.set(row.settlement, {
          settlement: row.settlement,
          settledAt: row.settledAt,
          lines: [row.line],
        })
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error
      errors.push({ line, message: error.message })
    }
  }
  if (!columns) throw new UnreadableReport('The file is empty.')
  if (rows === 0) throw new UnreadableReport('The file has no rows.')
  return { parts: [...parts.values()], rows, errors }
}
