import { asc, gte, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../db/database.ts'
import { dailyCounters } from '../db/schema/operations.ts'

export type DayCounters = typeof dailyCounters.$inferSelect
export type Counters = Omit<DayCounters, 'day'>

const sumOf = (column: SQLiteColumn) => sql<number>`coalesce(sum(${column}), 0)`

/** All days added up: some thousand rows after ten years. */
export async function readTotals(db: Reader): Promise<Counters> {
  const [totals] = await db
    .select({
      users: sumOf(dailyCounters.users),
      certificates: sumOf(dailyCounters.certificates),
      verifications: sumOf(dailyCounters.verifications),
      successful: sumOf(dailyCounters.successful),
      notFound: sumOf(dailyCounters.notFound),
      revenueMinor: sumOf(dailyCounters.revenueMinor),
    })
    .from(dailyCounters)
  if (!totals) throw new Error('a sum without a row')
  return totals
}

/** The days from `day` (`YYYY-MM-DD`) on that have counters, oldest first. */
export async function readDays(db: Reader, { from }: { from: string }): Promise<DayCounters[]> {
  return await db
    .select()
    .from(dailyCounters)
    .where(gte(dailyCounters.day, from))
    .orderBy(asc(dailyCounters.day))
}
