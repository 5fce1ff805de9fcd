import { and, gt, gte, lte, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'

/**
 * Condition for stored times that are in the past, or further in the future than possible because the clock was ahead
 * when they were written.
 * @param maxAhead how far in the future a correct time can be, in milliseconds
 */
export const isDue = (column: SQLiteColumn, now: number, maxAhead: number): SQL | undefined =>
  or(lte(column, now), gt(column, now + maxAhead + MAX_CLOCK_SKEW_MS))

/**
 * Condition for times that were written while the clock was ahead, but by less than `isDue` can detect. Another time in
 * the same row, which was written no later, is then still in the future.
 * @param since when the row began to wait
 */
export const isWrittenAhead = (since: SQLiteColumn, time: SQLiteColumn, now: number): SQL | undefined =>
  and(gt(since, now + MAX_CLOCK_SKEW_MS), gte(time, since))
