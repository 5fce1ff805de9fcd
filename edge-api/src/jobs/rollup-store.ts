import { toIsoDate } from '@portal/format/dates'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { daysAfter } from '../db/calendar.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import { activityCounters } from '../db/schema/activity.ts'
import { counterRollup, rankedCounters } from '../db/schema/operations.ts'

/*
 * Adds the counters of past days to those of months, years and all time (`counterRollup`), so that a verification changes only
 * the counters of its own day. Readers add up the days that have not been rolled up yet, so a delayed run makes reading slower,
 * but never wrong.
 */

/** Maximum number of days that one transaction rolls up, so that other writes do not wait long. */
const MAX_DAYS = 7

const readRolledUpTo = async (db: Reader): Promise<string> =>
  (await db.select().from(counterRollup))[0]?.day ?? ''

/** Returns the first day, from `day` on, that has counters. */
async function findNextDay(db: Reader, day: string): Promise<string | undefined> {
  const selectFirstDay = (table: SQLWrapper, where: SQL = sql`true`) =>
    sql`select min(period) as day from ${table} where ${where} and unit = 'day' and period >= ${day}`
  const [found] = await db.all<{ day: string | null }>(sql`select min(day) as day from (
    ${selectFirstDay(activityCounters)} union all ${selectFirstDay(rankedCounters, sql`kind = 'course'`)}
    union all ${selectFirstDay(rankedCounters, sql`kind = 'organisation'`)})`)
  return found?.day ?? undefined
}

const LONGER_PERIODS = sql`(select 'month' as longer, 7 as length union all select 'year', 4 union all select 'all', 0)`

async function addDays(db: Tx, from: string, before: string): Promise<void> {
  const days = sql`unit = 'day' and period >= ${from} and period < ${before}`
  await db.run(sql`
    insert into ${rankedCounters} (kind, unit, period, name, verifications, successful, revenue_minor)
    select kind, longer, substr(period, 1, length), name, sum(verifications), sum(successful), sum(revenue_minor)
    from ${rankedCounters}, ${LONGER_PERIODS} where kind in ('course', 'organisation') and ${days} group by 1, 2, 3, 4
    on conflict (kind, unit, period, name) do update set verifications = verifications + excluded.verifications,
      successful = successful + excluded.successful, revenue_minor = revenue_minor + excluded.revenue_minor`)
  await db.run(sql`
    insert into ${activityCounters} (unit, period, user_id, type, status, total)
    select longer, substr(period, 1, length), user_id, type, status, sum(total)
    from ${activityCounters}, ${LONGER_PERIODS} where longer <> 'all' and ${days} group by 1, 2, 3, 4, 5
    on conflict (unit, period, user_id, type, status) do update set total = total + excluded.total`)
}

/** Rolls up the next few days before today (UTC). @returns true if more days remain */
export async function rollUp(database: Database, now: number): Promise<boolean> {
  const today = toIsoDate(now)
  if ((await readRolledUpTo(database.read)) >= today) return false
  return await database.write(async tx => {
    const from = await readRolledUpTo(tx)
    if (from >= today) return false
    const nextDay = await findNextDay(tx, from)
    const after = nextDay === undefined ? today : daysAfter(nextDay, MAX_DAYS)
    const before = after < today ? after : today
    await addDays(tx, from, before)
    await tx.update(counterRollup).set({ day: before })
    return before < today
  })
}
