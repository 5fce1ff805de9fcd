import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** A range of day, month or year counters, from the first to the last one, both inclusive. */
export interface CounterRange {
  unit: 'day' | 'month' | 'year'
  from: string
  to: string
}

/** First and last UTC day (`YYYY-MM-DD`), both inclusive. If one is missing, the range is open at that end. */
export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

const pad = (number: number, length: number) => String(number).padStart(length, '0')
const parseYear = (day: string) => Number(day.slice(0, 4))
const monthNumberOf = (day: string) => Number(day.slice(5, 7))
const lastDayOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()
const formatMonth = (year: number, month: number) => `${pad(year, 4)}-${pad(month, 2)}`

/** Splits a period within one year into whole months and the days before and after them. */
function splitWithinYear(from: string, to: string): CounterRange[] {
  const year = parseYear(from)
  const firstMonth = from.endsWith('-01') ? monthNumberOf(from) : monthNumberOf(from) + 1
  const endsMonth = Number(to.slice(8)) === lastDayOfMonth(year, monthNumberOf(to))
  const lastMonth = endsMonth ? monthNumberOf(to) : monthNumberOf(to) - 1
  if (firstMonth > lastMonth) return [{ unit: 'day', from, to }]
  const months: CounterRange = {
    unit: 'month',
    from: formatMonth(year, firstMonth),
    to: formatMonth(year, lastMonth),
  }
  const monthBefore = formatMonth(year, firstMonth - 1)
  const monthAfter = formatMonth(year, lastMonth + 1)
  return [
    ...(firstMonth > monthNumberOf(from)
      ? [{ unit: 'day' as const, from, to: `${monthBefore}-${pad(lastDayOfMonth(year, firstMonth - 1), 2)}` }]
      : []),
    months,
    ...(lastMonth < monthNumberOf(to) ? [{ unit: 'day' as const, from: `${monthAfter}-01`, to }] : []),
  ]
}

/**
 * Splits a period into the fewest counters: whole years, the whole months before and after them, and the remaining days. Ten
 * years need about sixty rows per name this way, instead of 3,650.
 */
export function splitPeriod({ from, to }: DayRange): CounterRange[] {
  if (from !== undefined && to !== undefined && from > to) return []
  const startsYear = from === undefined || from.endsWith('-01-01')
  const endsYear = to === undefined || to.endsWith('-12-31')
  const firstYear = from === undefined ? 0 : parseYear(from) + (startsYear ? 0 : 1)
  const lastYear = to === undefined ? 9999 : parseYear(to) - (endsYear ? 0 : 1)
  if (
    from !== undefined &&
    to !== undefined &&
    parseYear(from) === parseYear(to) &&
    !(startsYear && endsYear)
  )
    return splitWithinYear(from, to)
  return [
    ...(startsYear ? [] : splitWithinYear(from, `${pad(firstYear - 1, 4)}-12-31`)),
    ...(firstYear <= lastYear
      ? [{ unit: 'year' as const, from: pad(firstYear, 4), to: pad(lastYear, 4) }]
      : []),
    ...(endsYear ? [] : splitWithinYear(`${pad(lastYear + 1, 4)}-01-01`, to)),
  ]
}

/** Returns the date that is `days` days after a UTC day. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the counters before and after a period, within the days that can have counters. */
export function rangesOutside(
  period: { from: string; to: string },
  dataRange: { from: string; to: string },
): CounterRange[] {
  const before =
    period.from > dataRange.from ? splitPeriod({ from: dataRange.from, to: daysAfter(period.from, -1) }) : []
  const after =
    period.to < dataRange.to ? splitPeriod({ from: daysAfter(period.to, 1), to: dataRange.to }) : []
  return [...before, ...after]
}

/** Returns the maximum number of counters that one name can have in these ranges. Requires a period with both ends. */
export function countCounters(ranges: readonly CounterRange[]): number {
  const ordinal = { day: (day: string) => Date.parse(day) / 86_400_000, month: monthIndexOf, year: Number }
  return ranges.reduce((total, { unit, from, to }) => total + ordinal[unit](to) - ordinal[unit](from) + 1, 0)
}

const monthIndexOf = (month: string) => parseYear(month) * 12 + monthNumberOf(month)

/**
 * SQL for the first day that is not yet included in the counters of months, years and all time (`counterRollup`). As a
 * subquery, it is read in the same snapshot as the counters.
 */
const FIRST_UNROLLED_DAY = sql`(select day from counter_rollup)`

/**
 * Returns the condition for the day counters of a period (both ends included) that are not yet part of longer counters.
 */
const unrolledDays = (from: string, to: string): SQL =>
  sql`unit = 'day' and period between max(${from}, ${FIRST_UNROLLED_DAY}) and ${to}`

/** Conditions for the counter rows that add up to all time: the row for all time, and the days not yet included in it. */
export const ALL_TIME: readonly SQL[] = [sql`unit = 'all'`, unrolledDays('', '9999-12-31')]

/** Returns conditions that select the counter rows of a range. Each can be answered by an index search. */
function rowConditionsOf({ unit, from, to }: CounterRange): SQL[] {
  const unitRows = sql`unit = ${unit} and period between ${from} and ${to}`
  if (unit === 'day') return [unitRows]
  return [
    unitRows,
    unit === 'month' ? unrolledDays(`${from}-01`, `${to}-31`) : unrolledDays(`${from}-01-01`, `${to}-12-31`),
  ]
}

/** Returns a subquery that selects columns of all counter rows in the ranges, with index searches and no scan. */
export function selectCounterRows(
  table: SQLWrapper,
  ranges: readonly CounterRange[],
  columns: SQL,
  where: SQL = sql`true`,
): SQL {
  const emptyRange: CounterRange = { unit: 'day', from: '', to: '' }
  const selects = (ranges.length > 0 ? ranges : [emptyRange])
    .flatMap(rowConditionsOf)
    .map(rows => sql`select ${columns} from ${table} where ${where} and ${rows}`)
  return sql`(${sql.join(selects, sql` union all `)})`
}
