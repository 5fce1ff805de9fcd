import type { Client } from '@libsql/client'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import { Fault } from '../fault.ts'
import { isBusy, isUnreachable } from './errors.ts'

type Orm = LibSQLDatabase

/** What a store writes with: a transaction that is under way. */
export type Tx = Parameters<Parameters<Orm['transaction']>[0]>[0]
/** What a store reads with: the database, or a transaction that is under way. */
export type Reader = Orm | Tx

/** A database handle: `read` for queries, `write` for everything that changes a row. */
export interface Database {
  readonly read: Reader
  /**
   * Runs `work` in one interactive write transaction and returns what it returns; anything thrown rolls all of it
   * back. `work` may run again when the database was busy, so it must have no effect outside the transaction.
   * @throws Fault `DATABASE_UNAVAILABLE` when the database stays busy or cannot be reached.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The client below, for migrations, backup and health. */
  readonly client: Client
  close(): void
}

const BUSY_RETRIES = 5

/**
 * Wraps a libSQL client. With `serialiseWrites` (file databases) one mutex orders all write transactions: the native
 * driver is synchronous, and a second writer would hold the event loop until the busy timeout.
 */
export function openDatabase(client: Client, { serialiseWrites }: { serialiseWrites: boolean }): Database {
  const orm = drizzle(client)
  let tail: Promise<unknown> = Promise.resolve()

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await orm.transaction(work, { behavior: 'immediate' })
      } catch (error) {
        if (isUnreachable(error)) throw new Fault('DATABASE_UNAVAILABLE', { cause: error, retryAfter: 1 })
        if (!isBusy(error)) throw error
        // After SQLITE_BUSY the native connection stays poisoned until it is opened anew.
        if (serialiseWrites) client.reconnect()
        if (tries === BUSY_RETRIES) throw new Fault('DATABASE_UNAVAILABLE', { cause: error, retryAfter: 1 })
        await new Promise(resolve => setTimeout(resolve, 2 ** tries * (10 + Math.random() * 20)))
      }
    }
  }

  return {
    read: orm,
    client,
    write(work) {
      if (!serialiseWrites) return attempt(work)
      const turn = tail.then(() => attempt(work))
      tail = turn.catch(() => undefined)
      return turn
    },
    close: () => client.close(),
  }
}
