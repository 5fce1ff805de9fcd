import { gt, lte, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { CLOCK_SKEW } from '../clock-skew.ts'

/**
 * True for a stored time that has come, and for one further ahead than it can be: the clock was ahead when it was written
 * and has been corrected since. @param most longest legitimate distance from now, in milliseconds
 */
export const hasCome = (column: SQLiteColumn, now: number, most: number): SQL | undefined =>
  or(lte(column, now), gt(column, now + most + CLOCK_SKEW))
