import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client'
import { COUNT_OF_WRITES } from './server-client.ts'

/*
 * Reads from a replica that are never older than the request they serve. The primary is asked how many writes it has seen, and
 * each read on the replica includes the replica's count from the same snapshot: a lower one is not used. A replica that lags,
 * hangs or is gone costs time, but never correctness.
 */

/** Time limit of one read on a replica before the primary is used, in milliseconds. */
const READ_TIMEOUT = 2000
/** Pauses between reads of a replica that is a few writes behind, in milliseconds; then the primary is used. */
const RETRY_PAUSES = [3, 7, 15, 30]
/** How long a failed replica is not used, in milliseconds; doubled after each further failure. */
const FIRST_PAUSE = 500
const MAX_PAUSE = 16_000

/** The state of a replica as one process has seen it: shared by all its requests. */
export class ReplicaHealth {
  #rest = 0
  #failedAt = 0
  #until = 0

  /**
   * Returns whether a read may try the replica. After a pause, a single read tries it first; until its outcome is known, the
   * others use the primary.
   */
  mayTry(now: number): boolean {
    if (this.#rest === 0) return true
    if (now < this.#until) return false
    this.#until = now + READ_TIMEOUT
    return true
  }

  responded(): void {
    this.#rest = 0
  }

  /** Records a failed read. @param since when the read began: of many parallel failures only the first counts */
  failed(since: number, now: number): void {
    if (since <= this.#failedAt) return
    this.#rest = Math.min(this.#rest * 2 || FIRST_PAUSE, MAX_PAUSE)
    this.#failedAt = now
    this.#until = now + this.#rest
  }
}

/** Sources of reads other than the primary. */
export interface Replica {
  client: Pick<Client, 'batch' | 'close'>
  health: ReplicaHealth
}

/**
 * The reads of one request: from the replica, once it contains everything that the primary had when this was
 * called, otherwise from the primary.
 */
export async function replicaClient(primary: Client, replica: Replica): Promise<Client> {
  let requiredWrites = Number.POSITIVE_INFINITY
  try {
    const { rows } = await primary.execute(COUNT_OF_WRITES)
    requiredWrites = Number(rows[0]?.writes)
  } catch {
    // Then the primary also serves the remaining reads, and reports the error itself.
  }
  return asClient(new ReplicaReadClient(primary, replica, requiredWrites))
}

/** Queries outside a transaction only call `execute`; writes have their own handle. */
const asClient = (client: Pick<Client, 'execute'>) => client as Client

class ReplicaReadClient implements Pick<Client, 'execute'> {
  readonly #primary: Client
  readonly #replica: Replica
  readonly #upTo: number
  /**
   * After one read on the primary, the remaining reads go there too: a later one must not show less than an earlier one.
   */
  #leftIt: boolean

  constructor(primary: Client, replica: Replica, requiredWrites: number) {
    this.#primary = primary
    this.#replica = replica
    this.#upTo = requiredWrites
    this.#leftIt = !Number.isFinite(requiredWrites)
  }

  async execute(statement: InStatement | string, args: InArgs = []): Promise<ResultSet> {
    const query = typeof statement === 'string' ? { sql: statement, args } : statement
    const found = this.#leftIt ? undefined : await this.#fromReplica(query)
    if (found) return found
    this.#leftIt = true
    return this.#primary.execute(query)
  }

  /** Returns the replica's result; undefined if the replica lacks required writes, does not respond in time, or refuses. */
  async #fromReplica(query: InStatement): Promise<ResultSet | undefined> {
    const { client, health } = this.#replica
    const began = Date.now()
    if (!health.mayTry(began)) return undefined
    for (const pause of [...RETRY_PAUSES, 0]) {
      const response = await orLate(began + READ_TIMEOUT, client.batch([COUNT_OF_WRITES, query], 'read'))
      if (!response) break
      const [count, found] = response
      if (Number(count?.rows[0]?.writes) >= this.#upTo) {
        health.responded()
        return found
      }
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
    }
    health.failed(began, Date.now())
    return undefined
  }
}

/**
 * Returns the result of `work`; undefined if it fails or is late. An invalid query fails again on the primary, with its
 * reason.
 */
async function orLate<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, deadline - Date.now(), undefined)
  })
  try {
    return await Promise.race([work.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
