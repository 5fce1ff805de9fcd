import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client'
import { SELECT_WRITE_COUNT } from './server-client.ts'

/*
 * Reads from a replica, but only results that include every write before the current request. The primary is asked for its
 * count of writes, and each read on the replica also returns the replica's own count, from the same snapshot; if that is lower,
 * the result is discarded. A replica that lags, hangs or is unreachable costs time, but never correctness.
 */

/** Time limit of a read on a replica, after which the primary is used, in milliseconds. */
const READ_TIMEOUT_MS = 2000
/**
 * Pauses before a replica that is a few writes behind is read again, in milliseconds. After the last one, the primary is used.
 */
const RETRY_PAUSES_MS = [3, 7, 15, 30]
/** How long a replica is not used after its first failure, in milliseconds. The pause doubles with each further failure. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 16_000

/** The state of a replica as seen by one process, shared by all its requests. */
export class ReplicaHealth {
  #pause = 0
  #failedAt = 0
  #pausedUntil = 0

  /**
   * True if a read may try the replica. After a pause, only a single read tries it, and until its result is known, all others
   * use the primary.
   */
  mayTry(now: number): boolean {
    if (this.#pause === 0) return true
    if (now < this.#pausedUntil) return false
    this.#pausedUntil = now + READ_TIMEOUT_MS
    return true
  }

  markResponded(): void {
    this.#pause = 0
  }

  /** Records a failed read. @param since start of the read; reads that ran in parallel count as one failure */
  markFailed(since: number, now: number): void {
    if (since <= this.#failedAt) return
    this.#pause = Math.min(this.#pause * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS)
    this.#failedAt = now
    this.#pausedUntil = now + this.#pause
  }
}

/** A replica to read from, and its state. */
export interface Replica {
  client: Pick<Client, 'batch' | 'close'>
  health: ReplicaHealth
}

/**
 * Returns a client for the reads of one request. It uses the replica if that contains everything that the primary contained at
 * the time of this call, and otherwise the primary.
 */
export async function replicaClient(primary: Client, replica: Replica): Promise<Client> {
  let requiredWrites = Number.POSITIVE_INFINITY
  try {
    const { rows } = await primary.execute(SELECT_WRITE_COUNT)
    requiredWrites = Number(rows[0]?.writes)
  } catch {
    // The primary then serves all reads, which will report the error.
  }
  return asClient(new ReplicaReadClient(primary, replica, requiredWrites))
}

/**
 * Casts to a full client. This is safe, because queries outside a transaction only call `execute`, and writes use another
 * handle.
 */
const asClient = (client: Pick<Client, 'execute'>) => client as Client

class ReplicaReadClient implements Pick<Client, 'execute'> {
  readonly #primary: Client
  readonly #replica: Replica
  readonly #requiredWrites: number
  /**
   * Set after the first read on the primary. All later reads then use it too, because a read must not show an older state than
   * an earlier one.
   */
  #usesPrimary: boolean

  constructor(primary: Client, replica: Replica, requiredWrites: number) {
    this.#primary = primary
    this.#replica = replica
    this.#requiredWrites = requiredWrites
    this.#usesPrimary = !Number.isFinite(requiredWrites)
  }

  async execute(statement: InStatement | string, args: InArgs = []): Promise<ResultSet> {
    const query = typeof statement === 'string' ? { sql: statement, args } : statement
    const found = this.#usesPrimary ? undefined : await this.#readFromReplica(query)
    if (found) return found
    this.#usesPrimary = true
    return this.#primary.execute(query)
  }

  /**
   * Returns the replica's result; undefined if the replica lacks required writes, does not respond in time, or returns an
   * error.
   */
  async #readFromReplica(query: InStatement): Promise<ResultSet | undefined> {
    const { client, health } = this.#replica
    const startedAt = Date.now()
    if (!health.mayTry(startedAt)) return undefined
    for (const pause of [...RETRY_PAUSES_MS, 0]) {
      const response = await awaitUntil(
        startedAt + READ_TIMEOUT_MS,
        client.batch([SELECT_WRITE_COUNT, query], 'read'),
      )
      if (!response) break
      const [count, found] = response
      if (Number(count?.rows[0]?.writes) >= this.#requiredWrites) {
        health.markResponded()
        return found
      }
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
    }
    health.markFailed(startedAt, Date.now())
    return undefined
  }
}

/**
 * Returns the result of `work`; undefined if it fails or takes too long. An invalid query then fails again on the primary,
 * which reports the reason.
 */
async function awaitUntil<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, deadline - Date.now(), undefined)
  })
  try {
    return await Promise.race([work.catch(() => undefined), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
