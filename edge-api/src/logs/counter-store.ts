import {
  type ActivityStatus,
  type ActivityType,
  activityStatuses,
  activityTypes,
} from '@portal/format/activity'
import { toIsoDate } from '@portal/format/dates'
import { type SQL, sql } from 'drizzle-orm'
import { selectCounterRows, splitPeriod } from '../db/calendar.ts'
import type { Reader } from '../db/database.ts'
import { onDays } from '../db/pages.ts'
import { activityCounters } from '../db/schema/activity.ts'
import type { LogView } from './rules.ts'

export interface LogCount {
  type: ActivityType
  status: ActivityStatus
  total: number
}

interface CountFilter {
  view: LogView
  type?: ActivityType | undefined
  /** Start of the period, in milliseconds, inclusive; the start of a UTC day. */
  from?: number | undefined
  /** End of the period, in milliseconds, exclusive; the start of a UTC day. */
  before?: number | undefined
}

/** Returns SQL for what a row adds to the viewer's total: entries that the viewer must not see are subtracted. */
const visibleTotal = (view: LogView): SQL =>
  view.all
    ? sql`iif(user_id = '', total, 0)`
    : sql`case user_id when '' then total when ${view.viewerId} then 0 else -total end`

/** Returns a query for the number of entries of a type on each day of a period, which is used to find deep pages. */
export const selectEntriesByDay = ({ view, type, from, before }: CountFilter): SQL => sql`
  select period as day, ${visibleTotal(view)} as total
  from (select period, user_id, total, period as day from ${activityCounters}
    where unit = 'day' and ${type === undefined ? sql`true` : sql`type = ${type}`})
  where ${onDays({ from, before })}`

/**
 * Counts the entries in a period by type and status. Entries hidden from an admin are counted separately and subtracted,
 * because they belong to few accounts.
 */
export async function countByCounters(
  db: Reader,
  { view, type, from, before }: CountFilter,
): Promise<LogCount[]> {
  const ranges = splitPeriod({
    from: from === undefined ? undefined : toIsoDate(from),
    to: before === undefined ? undefined : toIsoDate(before - 1),
  })
  const rows = await db.all<{ type: string; status: string; total: number }>(sql`
    select type, status, sum(${visibleTotal(view)}) as total from ${selectCounterRows(activityCounters, ranges, sql`user_id, type, status, total`)}
    where ${type === undefined ? sql`true` : sql`type = ${type}`} group by type, status`)
  return rows.map(row => ({
    type: activityTypes.find(item => item === row.type) ?? 'other',
    status: activityStatuses.find(item => item === row.status) ?? 'info',
    total: row.total,
  }))
}
