import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Counters that cover whole days, months or years, from one period to another, both inclusive. */
export interface CounterRange {
  unit: 'day' | 'month' | 'year'
  from: string
  to: string
}

/** UTC days (`YYYY-MM-DD`), both inclusive; an omitted end is open. */
export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

const pad = (number: number, length: number) => String(number).padStart(length, '0')
const yearOf = (day: string) => Number(day.slice(0, 4))
const monthOf = (day: string) => Number(day.slice(5, 7))
const lastOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()
const monthNamed = (year: number, month: number) => `${pad(year, 4)}-${pad(month, 2)}`

/** Days of one year: its whole months, and the days before and after them. */
function withinYear(from: string, to: string): CounterRange[] {
  const year = yearOf(from)
  const first = from.endsWith('-01') ? monthOf(from) : monthOf(from) + 1
  const ends = Number(to.slice(8)) === lastOfMonth(year, monthOf(to))
  const last = ends ? monthOf(to) : monthOf(to) - 1
  if (first > last) return [{ unit: 'day', from, to }]
  const months: CounterRange = { unit: 'month', from: monthNamed(year, first), to: monthNamed(year, last) }
  const before = monthNamed(year, first - 1)
  const after = monthNamed(year, last + 1)
  return [
    ...(first > monthOf(from)
      ? [{ unit: 'day' as const, from, to: `${before}-${pad(lastOfMonth(year, first - 1), 2)}` }]
      : []),
    months,
    ...(last < monthOf(to) ? [{ unit: 'day' as const, from: `${after}-01`, to }] : []),
  ]
}

/**
 * Splits a period into the fewest counters: whole years, whole months around them and days around those. Ten years are read
 * from about sixty rows per name instead of 3,650.
 */
export function rangesOf({ from, to }: DayRange): CounterRange[] {
  if (from !== undefined && to !== undefined && from > to) return []
  const begins = from === undefined || from.endsWith('-01-01')
  const ends = to === undefined || to.endsWith('-12-31')
  const first = from === undefined ? 0 : yearOf(from) + (begins ? 0 : 1)
  const last = to === undefined ? 9999 : yearOf(to) - (ends ? 0 : 1)
  if (from !== undefined && to !== undefined && yearOf(from) === yearOf(to) && !(begins && ends))
    return withinYear(from, to)
  return [
    ...(begins ? [] : withinYear(from, `${pad(first - 1, 4)}-12-31`)),
    ...(first <= last ? [{ unit: 'year' as const, from: pad(first, 4), to: pad(last, 4) }] : []),
    ...(ends ? [] : withinYear(`${pad(last + 1, 4)}-01-01`, to)),
  ]
}

/** `days` days after a UTC day. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The days before and after a period, between the first and the last day that can have counters. */
export function outsideOf(
  period: { from: string; to: string },
  dataRange: { from: string; to: string },
): CounterRange[] {
  const before =
    period.from > dataRange.from ? rangesOf({ from: dataRange.from, to: daysAfter(period.from, -1) }) : []
  const after = period.to < dataRange.to ? rangesOf({ from: daysAfter(period.to, 1), to: dataRange.to }) : []
  return [...before, ...after]
}

/** Maximum number of counters that one name can have in these ranges. Both ends of each must be given. */
export function countersIn(ranges: readonly CounterRange[]): number {
  const place = { day: (at: string) => Date.parse(at) / 86_400_000, month: monthsOf, year: Number }
  return ranges.reduce((total, { unit, from, to }) => total + place[unit](to) - place[unit](from) + 1, 0)
}

const monthsOf = (month: string) => yearOf(month) * 12 + monthOf(month)

/** The first day that counters of longer periods do not contain yet (`counterRollup`), in the same snapshot. */
const FIRST_DAY_LEFT = sql`(select day from counter_rollup)`

/** The days from one to another, both inclusive, that counters of longer periods do not contain yet. */
const daysLeft = (from: string, to: string): SQL =>
  sql`unit = 'day' and period between max(${from}, ${FIRST_DAY_LEFT}) and ${to}`

/** The counter rows of all time: the rolled-up one, and the days since. */
export const ALL_TIME: readonly SQL[] = [sql`unit = 'all'`, daysLeft('', '9999-12-31')]

/** Conditions that select the counter rows of a range, each an index search. */
function rowsOf({ unit, from, to }: CounterRange): SQL[] {
  const added = sql`unit = ${unit} and period between ${from} and ${to}`
  if (unit === 'day') return [added]
  return [
    added,
    unit === 'month' ? daysLeft(`${from}-01`, `${to}-31`) : daysLeft(`${from}-01-01`, `${to}-12-31`),
  ]
}

/** The columns of all counter rows of the ranges: index searches, never a scan. */
export function rowsIn(
  table: SQLWrapper,
  ranges: readonly CounterRange[],
  columns: SQL,
  where: SQL = sql`true`,
): SQL {
  const none: CounterRange = { unit: 'day', from: '', to: '' }
  const selects = (ranges.length > 0 ? ranges : [none])
    .flatMap(rowsOf)
    .map(rows => sql`select ${columns} from ${table} where ${where} and ${rows}`)
  return sql`(${sql.join(selects, sql` union all `)})`
}
