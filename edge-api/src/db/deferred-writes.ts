import type { InArgs } from '@libsql/client'
import type { Tx } from './database.ts'
import { serverTransactionOf } from './server-client.ts'

/** A write statement as drizzle builds it. */
interface Write extends PromiseLike<{ rowsAffected: number } | unknown[]> {
  toSQL(): { sql: string; params: unknown[] }
}

function toStatement(write: Write) {
  const { sql, params } = write.toSQL()
  return { sql, args: params as InArgs }
}

/**
 * Executes a write whose result is not needed. On a server it is sent together with the transaction's next statement or its
 * commit. If the write fails, that call reports the error.
 */
export async function writeDeferred(db: Tx, write: Write): Promise<void> {
  const transaction = serverTransactionOf(db)
  if (transaction) transaction.defer(toStatement(write))
  else await write
}

/**
 * Like `writeDeferred`, for a write that must change exactly one row.
 * @throws the error from `createFailure` if the write changed no row; on a server, the next statement or the commit throws it
 */
export async function writeDeferredOne(db: Tx, write: Write, createFailure: () => Error): Promise<void> {
  const transaction = serverTransactionOf(db)
  if (transaction) return transaction.defer(toStatement(write), createFailure)
  const result = await write
  if (!('rowsAffected' in result) || result.rowsAffected !== 1) throw createFailure()
}

/**
 * Executes the last query of a transaction; on a server it is sent together with the commit. If everything before it was
 * deferred, the whole transaction is a single request.
 */
export async function executeLast<T>(db: Tx, query: () => Promise<T>): Promise<T> {
  serverTransactionOf(db)?.commitWithNext()
  return await query()
}

/**
 * Declares that no request needs to see this transaction's changes on a replica (`http/replica-routes.ts`), such as the
 * counters of rate limits. The transaction is then left out of the count of writes (decision 033), which saves a write.
 */
export function declareNotReadFromReplicas(db: Tx): void {
  serverTransactionOf(db)?.skipCount()
}
