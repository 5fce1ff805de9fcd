import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Tx } from './database.ts'

/** A transaction of a driver that blocks the process, but can run a statement on another thread. */
export interface Elsewhere {
  /** Also commits there. @param sql a statement without values and rows */
  executeElsewhere(sql: string): Promise<void>
}

const dialect = new SQLiteAsyncDialect()

/** Runs a statement that takes long and returns nothing: on a file on another thread, so that others are answered meanwhile. */
export async function runElsewhere(db: Tx, statement: SQL): Promise<void> {
  // Drizzle has no public accessor for the transaction.
  const { session } = db as { session?: { tx?: Partial<Elsewhere> } }
  const tx = session?.tx
  // Other threads take no values, so they become literals.
  if (tx?.executeElsewhere) await tx.executeElsewhere(dialect.sqlToQuery(statement.inlineParams()).sql)
  else await db.run(statement)
}
