import {
  type SettlementColumn,
  type SettlementLineKind,
  settlementColumns,
} from '@portal/contract/admin-settlements'
import { CsvReader } from '@portal/format/csv-reader'
import { toMinor } from '@portal/format/money'
import { Fault } from './fault.ts'
import type { ReadLine, ReadReport } from './settlements.ts'

/* A settlement report as the API reads it. */

const unreadable = (why: string) =>
  new Fault('INVALID_CSV', undefined, `${why} Please save the sheet as "CSV UTF-8" and choose that file.`)

const folded = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

function minorOf(text: string, column: string): number {
  const figure = text.replace(/^NGN|[₦,\s]/gi, '').replace(/^\((.+)\)$/, '-$1')
  if (!/^-?\d{1,12}(\.\d{1,2})?0*$/.test(figure)) throw new Error(`The ${column} "${text}" is not an amount.`)
  return toMinor(Number(figure))
}

function kindOf(text: string): SettlementLineKind {
  const word = folded(text)
  if (/^(payment|charge|purchase|transaction|sale|successful|success)?$/.test(word)) return 'payment'
  if (word.startsWith('refund')) return 'refund'
  return /^(chargeback|dispute)/.test(word) ? 'chargeback' : 'adjustment'
}

function dayOf(text: string): string {
  const [, day = '', month = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text) ?? []
  const date = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.slice(0, 10)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    throw new Error(`The settlement date "${text}" is not a date: please write 2026-11-23 or 23/11/2026.`)
  return date
}

type Cell = (column: SettlementColumn) => string

function lineOf(cell: Cell): ReadLine {
  const currency = cell('currency') || 'NGN'
  if (currency.toUpperCase() !== 'NGN') throw new Error(`The currency ${currency} is not settled here.`)
  const kind = kindOf(cell('type'))
  const reference = cell('reference')
  if (reference === '' && kind === 'payment') throw new Error('The reference is missing.')
  const isBack = kind === 'refund' || kind === 'chargeback'
  const signed = (minor: number) => (isBack ? -Math.abs(minor) : minor)
  const amountMinor = signed(minorOf(cell('amount'), 'amount'))
  if (kind === 'payment' && amountMinor < 0) throw new Error('The amount of a payment cannot be negative.')
  const feeMinor = cell('fee') === '' ? undefined : minorOf(cell('fee'), 'fee')
  const netMinor = cell('net') === '' ? undefined : signed(minorOf(cell('net'), 'net'))
  if (feeMinor !== undefined && netMinor !== undefined && amountMinor - feeMinor !== netMinor)
    throw new Error('The amount less the fee is not the net amount.')
  return { kind, reference, amountMinor, feeMinor, netMinor }
}

/** @throws Fault `INVALID_CSV` for what is no table or has no such columns */
export function readSettlementFile(
  text: string,
  { provider, reference, settledOn }: { provider: string; reference?: string; settledOn?: string },
) {
  const reader = new CsvReader()
  const records = [...reader.push(text.replace(/^\uFEFF/, '')), ...reader.end()].filter(({ cells }) =>
    cells.some(cell => cell.trim() !== ''),
  )
  const [header, ...rows] = records
  if (!header) throw unreadable('The file is empty.')
  const columns = new Map<SettlementColumn, number>()
  for (const [column, names] of Object.entries(settlementColumns) as [
    SettlementColumn,
    readonly string[],
  ][]) {
    const at = header.cells.findIndex(name => names.includes(folded(name)))
    if (at >= 0) columns.set(column, at)
  }
  for (const column of ['reference', 'amount'] as const)
    if (!columns.has(column)) throw unreadable(`The header has no column for the ${column}.`)
  if (rows.length === 0) throw unreadable('The file has no rows.')
  const errors: { line: number; message: string }[] = []
  const reports = new Map<string, ReadReport & { lines: ReadLine[] }>()
  for (const { line, cells } of rows) {
    const cell: Cell = column => (cells[columns.get(column) ?? -1] ?? '').trim()
    try {
      const read = lineOf(cell)
      const date = cell('settled_on') || (settledOn ?? '')
      if (date === '') throw new Error('The settlement date is missing: choose one, or add a column for it.')
      const day = dayOf(date)
      const name = cell('settlement') || reference || day
      const report = reports.get(name)
      if (report) report.lines.push(read)
      else reports.set(name, { provider, reference: name, settledOn: `${day}T00:00:00.000Z`, lines: [read] })
    } catch (error) {
      errors.push({ line, message: error instanceof Error ? error.message : '' })
    }
  }
  return { reports: [...reports.values()], rows: rows.length, errors }
}
