import { and, gt, gte, lte, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'

/**
 * Returns the condition that a stored time has passed. Also true for a time so far in the future that it must have been written
 * while the clock was ahead.
 * @param maxAhead how far in the future a correct time can be, in milliseconds
 */
export const isDue = (column: SQLiteColumn, now: number, maxAhead: number): SQL | undefined =>
  or(lte(column, now), gt(column, now + maxAhead + MAX_CLOCK_SKEW_MS))

/**
 * Returns the condition that a time was written while the clock was ahead, but by less than `isDue` can detect: another time in
 * the same row, which was written no later, is then also in the future.
 * @param since column with the time when the row began to wait
 */
export const isWrittenAhead = (since: SQLiteColumn, time: SQLiteColumn, now: number): SQL | undefined =>
  and(gt(since, now + MAX_CLOCK_SKEW_MS), gte(time, since))
