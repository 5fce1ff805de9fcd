import { toIsoDate } from '@portal/format/dates'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from './database.ts'

/*
 * Finds deep pages of a list. Skipping a row costs as much as reading it, so a deep page is not found by scanning: stored
 * counts show on which day it begins, and it is read from the nearer end of the list.
 */

const DAY = 86_400_000
/** Maximum number of rows that are skipped by scanning, which for so few is faster than looking up where the page begins. */
const MAX_SKIPPED = 1000

export interface PageRange {
  offset: number
  limit: number
}

/**
 * Position of a page: it starts after the first `offset` rows of the list or, if `before` is set, of the rows older than that.
 */
export interface PagePosition extends PageRange {
  before?: number | undefined
}

/** A period of whole UTC days in milliseconds, `from` inclusive, `before` exclusive. */
export interface Days {
  from: number | undefined
  before: number | undefined
}

/** Returns the condition that a counter's `day` is in a period. */
export const onDays = ({ from, before }: Days): SQL =>
  sql.join(
    [
      sql`true`,
      ...(from === undefined ? [] : [sql`day >= ${toIsoDate(from)}`]),
      ...(before === undefined ? [] : [sql`day < ${toIsoDate(before)}`]),
    ],
    sql` and `,
  )

/**
 * Finds the position of a page in a list ordered by time, newest first. Goes back month by month to the month in which the page
 * begins, and then day by day.
 * @param days a query of `day` (`YYYY-MM-DD`) and `total`, the number of the list's rows on that day
 * @returns undefined if the page is beyond the end of the list
 */
export async function findPagePosition(
  db: Reader,
  days: SQL,
  { offset, limit }: PageRange,
): Promise<PagePosition | undefined> {
  if (offset <= MAX_SKIPPED) return { offset, limit }
  const [found] = await db.all<{ day: string; above: number }>(sql`
    with recursive days as not materialized (${days}),
      months (month, above, upto) as (
        select date(max(day), 'start of month', '+1 month'), 0, 0 from days
        union all
        select date(month, '-1 month'), upto, upto + coalesce(
          (select sum(total) from days where day >= date(month, '-1 month') and day < month), 0)
        from months where upto <= ${offset} and month > (select min(day) from days)),
      running as (
        select day, sum(total) as total, months.above + sum(sum(total)) over (order by day desc) as upto
        from months cross join days on day >= month and day < date(month, '+1 month')
        where months.upto > ${offset} group by day)
    select day, upto - total as above from running where upto > ${offset} order by day desc limit 1`)
  return found && { before: Date.parse(found.day) + DAY, offset: offset - found.above, limit }
}

/** Returns the sum of `total` over all days of a query of `day` and `total`. */
export async function sumTotals(db: Reader, days: SQL): Promise<number> {
  const [row] = await db.all<{ total: number | null }>(sql`select sum(total) as total from (${days})`)
  return row?.total ?? 0
}

type Period = { from?: number | undefined; before?: number | undefined }

/** Returns the intersection of two periods. */
export const intersectPeriods = (a: Period, b: Period): Days => ({
  from: Math.max(a.from ?? 0, b.from ?? 0) || undefined,
  before:
    a.before === undefined || b.before === undefined ? (a.before ?? b.before) : Math.min(a.before, b.before),
})

/** Position of a page, counted from the nearer end of the list. */
export interface PageFromNearerEnd extends PageRange {
  /** True if the page is counted from the oldest row, so its rows are in reverse order. */
  backwards: boolean
}

/**
 * Converts the position of a page to one that is counted from the nearer end of the list.
 * @param total total number of rows in the list
 */
export function countFromNearerEnd(total: number, { offset, limit }: PageRange): PageFromNearerEnd {
  const remaining = Math.max(0, total - offset)
  if (offset <= total / 2) return { backwards: false, offset, limit }
  return { backwards: true, offset: Math.max(0, remaining - limit), limit: Math.min(limit, remaining) }
}

/** Counts the rows of a query, up to `max`. */
export async function countUpTo(db: Reader, max: number, rows: SQL): Promise<number> {
  const [row] = await db.all<{ total: number }>(sql`select count(*) as total from (${rows} limit ${max})`)
  return row?.total ?? 0
}
