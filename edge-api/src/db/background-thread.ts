import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Tx } from './database.ts'

/** A transaction of a synchronous driver that can also run a statement on a background thread. */
export interface ThreadedTransaction {
  /**
   * Runs a statement on a background thread. The transaction then also commits on that thread.
   * @param sql a statement without parameters that returns no rows
   */
  executeOnThread(sql: string): Promise<void>
}

const dialect = new SQLiteAsyncDialect()

/**
 * Runs a long statement that returns no rows. For a file database it runs on a background thread, so that it does not block
 * other calls.
 */
export async function runOnThread(db: Tx, statement: SQL): Promise<void> {
  // Drizzle has no public way to get the driver's transaction.
  const { session } = db as { session?: { tx?: Partial<ThreadedTransaction> } }
  const tx = session?.tx
  // The driver's asynchronous interface accepts no parameters, so they are inlined as literals.
  if (tx?.executeOnThread) await tx.executeOnThread(dialect.sqlToQuery(statement.inlineParams()).sql)
  else await db.run(statement)
}
