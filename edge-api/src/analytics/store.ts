import type { PeriodUnit } from '@portal/contract/admin-analytics'
import { and, asc, gte, lte, min, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ALL_TIME, countCounters, rangesOutside, selectCounterRows, splitPeriod } from '../db/calendar.ts'
import type { Reader } from '../db/database.ts'
import { dailyCounters, rankedCounters } from '../db/schema/operations.ts'
import { cacheUntilChanged } from '../db/unchanged-cache.ts'

export type DayCounters = typeof dailyCounters.$inferSelect
export type Counters = Omit<DayCounters, 'day'>

const sumOf = (column: SQLiteColumn) => sql<number>`coalesce(sum(${column}), 0)`

const sums = {
  users: sumOf(dailyCounters.users),
  certificates: sumOf(dailyCounters.certificates),
  verifications: sumOf(dailyCounters.verifications),
  successful: sumOf(dailyCounters.successful),
  notFound: sumOf(dailyCounters.notFound),
  revenueMinor: sumOf(dailyCounters.revenueMinor),
}

/** First and last UTC day, `YYYY-MM-DD`, both inclusive. */
export interface Period {
  from: string
  to: string
}

const isWithin = ({ from, to }: Period) => and(gte(dailyCounters.day, from), lte(dailyCounters.day, to))

/** Returns the sum of each counter over the days of a period, or over all days (a few thousand rows after ten years). */
export async function readTotals(db: Reader, period?: Period): Promise<Counters> {
  const [totals] = await db
    .select(sums)
    .from(dailyCounters)
    .where(period && isWithin(period))
  if (!totals) throw new Error('the sum returned no row')
  return totals
}

/** Returns the counters of the days from `from` (`YYYY-MM-DD`) on, oldest first. Days without counters are missing. */
export async function readDays(db: Reader, { from }: { from: string }): Promise<DayCounters[]> {
  return await db
    .select()
    .from(dailyCounters)
    .where(gte(dailyCounters.day, from))
    .orderBy(asc(dailyCounters.day))
}

/** Returns the first day that has counters, or undefined. */
export async function readFirstDay(db: Reader): Promise<string | undefined> {
  const [row] = await db.select({ day: min(dailyCounters.day) }).from(dailyCounters)
  return row?.day ?? undefined
}

const firstDayOfInterval: Record<PeriodUnit, ReturnType<typeof sql<string>>> = {
  day: sql<string>`${dailyCounters.day}`,
  // The Monday of the week: six days before the Sunday on which it ends.
  week: sql<string>`date(${dailyCounters.day}, 'weekday 0', '-6 days')`,
  month: sql<string>`substr(${dailyCounters.day}, 1, 7) || '-01'`,
}

/**
 * Returns the counters of each day, week or month of a period. Intervals without counters are missing. `day` is the first day
 * of the interval.
 */
export async function readIntervals(
  db: Reader,
  { unit, ...period }: Period & { unit: PeriodUnit },
): Promise<DayCounters[]> {
  const day = firstDayOfInterval[unit]
  return await db
    .select({ day, ...sums })
    .from(dailyCounters)
    .where(isWithin(period))
    .groupBy(day)
    .orderBy(day)
}

export interface Ranked {
  name: string
  verifications: number
  successful: number
  revenueMinor: number
}

/**
 * Returns the courses or organisations with the most verifications in a period, highest first. A long period is computed as the
 * total of all time minus the days outside the period, if that reads fewer counters. Reading thousands of names takes time, so
 * the result is cached until the data changes.
 * @param dataRange the first and the last day that can have counters
 */
export async function readRanked(
  db: Reader,
  {
    kind,
    limit,
    dataRange,
    ...period
  }: Period & { kind: (typeof rankedCounters.$inferSelect)['kind']; limit: number; dataRange?: Period },
): Promise<Ranked[]> {
  const signedFigures = (sign: SQL) =>
    sql`name, ${sign} * verifications as verifications, ${sign} * successful as successful, ${sign} * revenue_minor as revenue_minor`
  const isOfKind = sql`kind = ${kind}`
  const ranges = splitPeriod(period)
  const outside = dataRange && rangesOutside(period, dataRange)
  const allTimeRows = ALL_TIME.map(
    condition =>
      sql`select ${signedFigures(sql`1`)} from ${rankedCounters} where ${isOfKind} and ${condition}`,
  )
  const rows =
    outside && countCounters(outside) < countCounters(ranges)
      ? sql`(${sql.join(allTimeRows, sql` union all `)}
          union all select * from ${selectCounterRows(rankedCounters, outside, signedFigures(sql`-1`), isOfKind)})`
      : selectCounterRows(rankedCounters, ranges, signedFigures(sql`1`), isOfKind)
  return await cacheUntilChanged(db, `ranked ${kind} ${period.from} ${period.to} ${limit}`, () =>
    db.all<Ranked>(sql`
    select min(name) as name, sum(verifications) as verifications, sum(successful) as successful,
      sum(revenue_minor) as revenueMinor
    from ${rows} group by name collate nocase having sum(verifications) > 0
    order by sum(verifications) desc, sum(revenue_minor) desc, min(name) limit ${limit}`),
  )
}

/** Returns the size of the database in bytes, or undefined if its server does not report it. */
export async function readDatabaseBytes(db: Reader): Promise<number | undefined> {
  const [size] = await db.all<{ bytes: number }>(
    sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  )
  return size?.bytes
}
