import { sql } from 'drizzle-orm'
import { integer, type SQLiteColumn } from 'drizzle-orm/sqlite-core'

/*
 * Column types shared by the tables in this folder. Times are integers of milliseconds since 1970 (UTC), money is integers of
 * minor units (kobo), IDs are random UUIDs. The sandbox payment service has a separate database.
 */

export const time = (name: string) => integer(name, { mode: 'number' })
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** Returns a check that a text column contains one of `values`. */
export const isOneOf = (column: SQLiteColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map(value => `'${value}'`).join(', '))})`
