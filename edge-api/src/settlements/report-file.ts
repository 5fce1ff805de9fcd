import {
  MAX_SETTLEMENT_ROWS,
  type SettlementColumn,
  type SettlementLineKind,
  settlementColumns,
} from '@portal/contract/admin-settlements'
import { toMinor } from '@portal/format/money'
import Papa from 'papaparse'
import { unreadable } from '../uploads/decoding.ts'
import type { ReportLine, SettlementReport } from './rules.ts'

/*
 * A settlement report as a CSV file: columns are found by their names, amounts are in naira. A row that cannot be read is
 * reported with its line and left out.
 */

export interface FileOptions {
  provider: string
  /** For rows without a column for them. */
  reference?: string | undefined
  /** `YYYY-MM-DD`. */
  settledOn?: string | undefined
}

export interface ReportFile {
  reports: SettlementReport[]
  rows: number
  errors: { line: number; message: string }[]
}

class RowError extends Error {}

const CURRENCY = 'NGN'
const folded = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

/** Where each column stands. @throws Fault `INVALID_CSV` for a header without reference and amount, or with one twice */
function columnsOf(header: readonly string[]): Map<SettlementColumn, number> {
  const columns = new Map<SettlementColumn, number>()
  for (const [column, names] of Object.entries(settlementColumns) as [
    SettlementColumn,
    readonly string[],
  ][]) {
    const found = header.flatMap((name, at) => (names.includes(folded(name)) ? [at] : []))
    if (found.length > 1)
      throw unreadable(`The header has more than one column for the ${column.replace('_', ' ')}.`)
    if (found[0] !== undefined) columns.set(column, found[0])
  }
  for (const column of ['reference', 'amount'] as const)
    if (!columns.has(column)) throw unreadable(`The header has no column for the ${column}.`)
  return columns
}

/** `₦5,000.00` or `(5000)` in kobo. @throws RowError */
function minorOf(text: string, column: string): number {
  const plain = text.replace(/^NGN|[₦,\s]/gi, '')
  const negative = /^\(.+\)$/.test(plain)
  const figure = plain.replace(/^\((.+)\)$/, '$1')
  if (!/^-?\d{1,12}(\.\d{1,2})?0*$/.test(figure))
    throw new RowError(`The ${column} "${text}" is not an amount.`)
  const minor = toMinor(Number(figure))
  return negative ? -minor : minor
}

const kinds: readonly (readonly [RegExp, SettlementLineKind])[] = [
  [/^(payment|charge|purchase|transaction|sale|successful|success)?$/, 'payment'],
  [/^refund/, 'refund'],
  [/^(chargeback|dispute)/, 'chargeback'],
]

const kindOf = (text: string): SettlementLineKind =>
  kinds.find(([word]) => word.test(folded(text)))?.[1] ?? 'adjustment'

/** `2026-11-23`, with a time or without, or `23/11/2026`, in milliseconds. @throws RowError */
function timeOf(text: string): number {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text) ?? []
  const date = year ? `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}` : text.slice(0, 10)
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    throw new RowError(`The settlement date "${text}" is not a date: please write 2026-11-23 or 23/11/2026.`)
  return at
}

interface Row {
  line: ReportLine
  settlement: string
  settledAt: number
}

/** @throws RowError */
function rowOf(
  cell: (column: SettlementColumn) => string,
  { reference: named, settledOn }: FileOptions,
): Row {
  const currency = cell('currency') || CURRENCY
  if (currency.toUpperCase() !== CURRENCY) throw new RowError(`The currency ${currency} is not settled here.`)
  const kind = kindOf(cell('type'))
  const reference = cell('reference')
  if (reference === '' && kind === 'payment') throw new RowError('The reference is missing.')
  const optional = (column: 'fee' | 'net') =>
    cell(column) === '' ? undefined : minorOf(cell(column), column)
  const sign = kind === 'refund' || kind === 'chargeback' ? -1 : 1
  const signed = (minor: number) => (sign < 0 ? -Math.abs(minor) : minor)
  const amountMinor = signed(minorOf(cell('amount'), 'amount'))
  if (kind === 'payment' && amountMinor < 0) throw new RowError('The amount of a payment cannot be negative.')
  const feeMinor = optional('fee')
  const net = optional('net')
  const netMinor = net === undefined ? undefined : signed(net)
  if (feeMinor !== undefined && netMinor !== undefined && amountMinor - feeMinor !== netMinor)
    throw new RowError('The amount less the fee is not the net amount.')
  const date = cell('settled_on') || (settledOn ?? '')
  if (date === '') throw new RowError('The settlement date is missing: choose one, or add a column for it.')
  const settledAt = timeOf(date)
  const settlement = cell('settlement') || named || new Date(settledAt).toISOString().slice(0, 10)
  return { line: { kind, reference, amountMinor, feeMinor, netMinor }, settlement, settledAt }
}

/**
 * Reads the text of a file.
 * @throws Fault `INVALID_CSV` for what is no table, has no such columns, or too many rows
 */
export function readReportFile(text: string, options: FileOptions): ReportFile {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
  const start = data.findIndex(cells => cells.some(cell => cell.trim() !== ''))
  const header = data[start]
  if (!header) throw unreadable('The file is empty.')
  const columns = columnsOf(header)
  const reports = new Map<string, SettlementReport & { lines: ReportLine[] }>()
  const errors: ReportFile['errors'] = []
  let rows = 0
  for (const [at, cells] of data.entries()) {
    if (at <= start || cells.every(cell => cell.trim() === '')) continue
    if (++rows > MAX_SETTLEMENT_ROWS)
      throw unreadable(`The file has more than ${MAX_SETTLEMENT_ROWS.toLocaleString('en')} rows.`)
    try {
      const row = rowOf(column => (cells[columns.get(column) ?? -1] ?? '').trim(), options)
      const { settlement: reference, settledAt, line } = row
      const { provider } = options
      const report = reports.get(reference)
      if (report) report.lines.push(line)
      else reports.set(reference, { provider, reference, currency: CURRENCY, settledAt, lines: [line] })
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      errors.push({ line: at + 1, message: error.message })
    }
  }
  if (rows === 0) throw unreadable('The file has no rows.')
  return { reports: [...reports.values()], rows, errors }
}
