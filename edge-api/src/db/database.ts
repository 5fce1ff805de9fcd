import type { Client } from '@libsql/client'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import { Fault } from '../fault.ts'
import { isBusy, isRolledBack, isUnreachable } from './errors.ts'
import { type Replica, replicaClient } from './replica.ts'
import { serverClient, unwrapError } from './server-client.ts'
import { WriteHealth } from './write-health.ts'
import { WriteMutex } from './write-mutex.ts'

type Orm = LibSQLDatabase

/** A handle for writes: an open transaction. */
export type Tx = Parameters<Parameters<Orm['transaction']>[0]>[0]
/** A handle for reads: the database, or an open transaction. */
export type Reader = Orm | Tx

/** A database handle: `read` for queries, `write` for everything that changes a row. */
export interface Database {
  readonly read: Reader
  /**
   * Returns a reader of a nearby replica, in a state that includes every write before this call; missing if there is no
   * replica. Never fails: if the primary is unreachable, the reads report it.
   */
  replica?(): Promise<Reader>
  /**
   * Runs `work` in one interactive write transaction and returns its result; an exception rolls back everything. If the
   * database was busy or rolled the transaction back, `work` runs again, so it must have no effect outside the transaction.
   * @throws Fault `DATABASE_UNAVAILABLE` if the database stays busy or cannot be reached
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * True if another write may be waiting for the one in progress. Always true for a server, because other processes use it too.
   */
  isWriteWaiting(): boolean
  /** Records whether the latest write succeeded. */
  readonly writes: WriteHealth
  /** The underlying client, for migrations, backup and health. */
  readonly client: Client
  close(): void
}

const onCommit = new WeakMap<Tx, Map<string, () => void>>()

/**
 * Runs `callback` once the transaction is committed, and not at all if it is rolled back. Used to start work that the
 * transaction has stored.
 * @param key of several calls in one transaction with the same key, only the last one's `callback` runs
 */
export function afterCommit(tx: Tx, key: string, callback: () => void): void {
  const callbacks = onCommit.get(tx)
  if (callbacks) callbacks.set(key, callback)
  else onCommit.set(tx, new Map([[key, callback]]))
}

/** How long a write waits for its turn and for a lock of another process, in milliseconds. */
const WRITE_TIMEOUT_MS = 3000
/** How long a write waits, in milliseconds, if the previous write has failed, because a long wait is then unlikely to help. */
const SHORT_WRITE_TIMEOUT_MS = 300
/** How long a write to a server waits for its turn, in milliseconds: as long as a slow server may take for one response. */
const TURN_TIMEOUT_MS = 6000
/** Longest pause between attempts to get a lock that another process holds, in milliseconds. */
const MAX_PAUSE_MS = 100

/**
 * Wraps a libSQL client. With `serialiseWrites` (file databases), write transactions run one after the other: the native driver
 * is synchronous, and a second writer would block the event loop until the busy timeout. Without it, the database is a server:
 * write transactions take turns within the process, and `replica` may answer some of the reads.
 * @param writes shared state of the writes, for handles that exist for one request only
 */
export function openDatabase(
  client: Client,
  {
    serialiseWrites,
    replica,
    writes = new WriteHealth(),
  }: { serialiseWrites: boolean; replica?: Replica | undefined; writes?: WriteHealth },
): Database {
  const orm = drizzle(serialiseWrites ? client : serverClient(client))
  let tail: Promise<unknown> = Promise.resolve()
  /** Number of writes to a file that are waiting for their turn. */
  let waiting = 0

  function recordFailure(cause: unknown): Fault {
    writes.markFailed()
    return new Fault('DATABASE_UNAVAILABLE', { cause, retryAfter: 1 })
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>, deadline: number): Promise<T> {
    let wasRolledBack = false
    for (let tries = 0; ; tries++) {
      try {
        let commitCallbacks: Map<string, () => void> | undefined
        const result = await orm.transaction(
          async tx => {
            const output = await work(tx)
            commitCallbacks = onCommit.get(tx)
            return output
          },
          { behavior: 'immediate' },
        )
        writes.markSucceeded()
        for (const callback of commitCallbacks?.values() ?? []) callback()
        return result
      } catch (error) {
        if (isUnreachable(error)) throw recordFailure(error)
        if (isRolledBack(error)) {
          if (wasRolledBack) throw recordFailure(error)
          // Retries once, even after the deadline, because a rollback does not mean that the transaction or the server has
          // failed.
          wasRolledBack = true
          continue
        }
        if (!isBusy(error)) throw unwrapError(error)
        const pause = Math.min(MAX_PAUSE_MS, 2 ** tries * 10) * (0.5 + Math.random())
        if (performance.now() + pause > deadline) throw recordFailure(error)
        await new Promise(resolve => setTimeout(resolve, pause))
      }
    }
  }

  const mutex = new WriteMutex()
  async function writeExclusively<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!(await mutex.acquire(writes.failing ? SHORT_WRITE_TIMEOUT_MS : TURN_TIMEOUT_MS)))
      throw new Fault('DATABASE_UNAVAILABLE', {
        cause: new Error('timed out while waiting for a turn to write'),
        retryAfter: 1,
      })
    try {
      return await attempt(
        work,
        performance.now() + (writes.failing ? SHORT_WRITE_TIMEOUT_MS : WRITE_TIMEOUT_MS),
      )
    } finally {
      mutex.release()
    }
  }

  return {
    read: orm,
    writes,
    client,
    write(work) {
      if (!serialiseWrites) return writeExclusively(work)
      // The time limit starts now, and not when the write's turn comes: if one write waits for a lock, all those behind it are
      // waiting for the same lock.
      const deadline = performance.now() + (writes.failing ? SHORT_WRITE_TIMEOUT_MS : WRITE_TIMEOUT_MS)
      waiting++
      const turn = tail.then(() => {
        waiting--
        return attempt(work, deadline)
      })
      tail = turn.catch(() => undefined)
      return turn
    },
    isWriteWaiting: () => !serialiseWrites || waiting > 0,
    ...(replica && { replica: async () => drizzle(await replicaClient(client, replica)) }),
    close() {
      client.close()
      replica?.client.close()
    },
  }
}
