import { and, gt, gte, lte, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { CLOCK_SKEW } from '../clock-skew.ts'

/**
 * True for a stored time in the past, and for one further ahead than possible: the clock was ahead when it was written and has
 * been corrected since.
 * @param maxAhead longest legitimate distance from now, in milliseconds
 */
export const isDue = (column: SQLiteColumn, now: number, maxAhead: number): SQL | undefined =>
  or(lte(column, now), gt(column, now + maxAhead + CLOCK_SKEW))

/**
 * True for a time written by a clock that was ahead by less than `isDue` can detect: another time of the same
 * row, written no later, is still in the future.
 * @param since when the row began to wait
 */
export const isWrittenAhead = (since: SQLiteColumn, time: SQLiteColumn, now: number): SQL | undefined =>
  and(gt(since, now + CLOCK_SKEW), gte(time, since))
