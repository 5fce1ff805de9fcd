import { toIsoDate } from '@portal/format/dates'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from './database.ts'

/*
 * Pages far back in a list. Skipping a row costs as much as reading it, so a page in the middle of millions is not
 * walked to: kept counts say on which day it lies, or it is nearer to the other end.
 */

const DAY = 86_400_000
/** Up to so many rows are skipped without further ado: quicker than asking where the page lies. */
const NEAR = 1000

export interface Place {
  offset: number
  limit: number
}

/** Where a page lies: between two moments, `from` inclusive, `before` exclusive, after `offset` rows of that time. */
export interface Span extends Place {
  from?: number | undefined
  before?: number | undefined
}

/** A period of whole UTC days in milliseconds, `from` inclusive, `before` exclusive. */
export interface Days {
  from: number | undefined
  before: number | undefined
}

/** The condition that a counter's `day` lies in a period. */
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
 * Where a page of a list lies that is in the order of time, newest first.
 * @param days a query of `day` (`YYYY-MM-DD`) and `total`: how many of the list's rows are of the day
 * @returns undefined when the list ends before the page
 */
export async function spanOf(db: Reader, days: SQL, { offset, limit }: Place): Promise<Span | undefined> {
  if (offset <= NEAR) return { offset, limit }
  const [found] = await db.all<{ newest: string | null; above: number | null; oldest: string | null }>(sql`
    with days as (select day, sum(total) as total from (${days}) group by day having sum(total) > 0),
      running as materialized (select day, total, sum(total) over (order by day desc) as upto from days)
    select newest.day as newest, newest.upto - newest.total as above,
      (select max(day) from running where upto >= ${offset + limit}) as oldest
    from (select * from running where upto > ${offset} order by day desc limit 1) as newest`)
  if (!found?.newest) return undefined
  return {
    ...(found.oldest && { from: Date.parse(found.oldest) }),
    before: Date.parse(found.newest) + DAY,
    offset: offset - (found.above ?? 0),
    limit,
  }
}

/** How many rows there are of all the days of a query of `day` and `total`. */
export async function totalOf(db: Reader, days: SQL): Promise<number> {
  const [row] = await db.all<{ total: number | null }>(sql`select sum(total) as total from (${days})`)
  return row?.total ?? 0
}

type Period = { from?: number | undefined; before?: number | undefined }

/** What two periods have in common. */
export const bothOf = (one: Period, other: Period): Days => ({
  from: Math.max(one.from ?? 0, other.from ?? 0) || undefined,
  before:
    one.before === undefined || other.before === undefined
      ? (one.before ?? other.before)
      : Math.min(one.before, other.before),
})

/** A page counted off from whichever end of the list is nearer. */
export interface Nearer extends Place {
  /** From the oldest on: the rows come in the opposite order. */
  backwards: boolean
}

/** @param total how many rows the list has in all */
export function nearerEnd(total: number, { offset, limit }: Place): Nearer {
  const rest = Math.max(0, total - offset)
  if (offset <= total / 2) return { backwards: false, offset, limit }
  return { backwards: true, offset: Math.max(0, rest - limit), limit: Math.min(limit, rest) }
}
