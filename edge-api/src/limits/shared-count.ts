import type { Client } from '@libsql/client'
import type { Tx } from '../db/database.ts'
import {
  applyFailurePolicy,
  countHits,
  type LimiterCall,
  maxHitsOf,
  readUsage,
  usageKeyOf,
} from './limiter.ts'
import { createRateLimitFault, type LimitName } from './rules.ts'

/*
 * Counts hits of frequent calls. Hits that arrive within a few milliseconds are counted in one transaction, so that a busy
 * caller does not need a transaction per call. If a caller is far below its limit, a hit is admitted before it is counted, so
 * that it need not wait for other transactions, such as those of a running batch. Within one process, the count is exact. In a
 * burst, several processes together can admit too many hits: at most a twelfth of the limit for each process after the first.
 */

interface WaitingHits {
  call: LimiterCall
  name: LimitName
  key: string
  hits: number
  /** An additional write for the transaction that counts the hits. It runs once for all hits of a key. */
  extraWrite: ((tx: Tx) => Promise<void>) | undefined
  onCounted(admitted: number): void
  onFailed(error: unknown): void
}

/**
 * Hits waiting to be counted, by database client. A process has one client. A worker has one per request, so it shares nothing
 * between requests.
 */
const queues = new WeakMap<Client, WaitingHits[]>()

/**
 * How long to collect hits that have already been admitted before they are counted, in milliseconds. A longer time is better
 * for cached responses, because every commit invalidates them.
 */
const COLLECT_FOR_MS = 250

/** Hits of a subject that have been admitted but not counted yet. */
interface EarlyHits {
  call: LimiterCall
  name: LimitName
  key: string
  hits: number
  /** Usage as last read, without these hits; undefined once some of them have been counted, because it is then outdated. */
  used: number | undefined
}

/**
 * Hits that were admitted early, by client and subject. An entry shows that its client has been used before, and so exists for
 * longer than one request.
 */
const earlyHitsByClient = new WeakMap<Client, Map<string, EarlyHits>>()

/**
 * Counts one hit, together with others that arrive at the same time.
 * @param subject ID of the account or key
 * @throws Fault `RATE_LIMITED` with `Retry-After` if the limit is used up; a rejected hit does not count
 */
export async function consumeShared(
  call: LimiterCall,
  name: LimitName,
  subject: string,
  extraWrite?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const existing = earlyHitsByClient.get(call.db.client)?.get(`${name} ${subject}`)
  if (!extraWrite && existing && addEarlyHit(existing, call)) return
  const key = usageKeyOf(name, subject)
  const isAdmitted = await applyFailurePolicy(
    call,
    name,
    true,
    async () =>
      (!extraWrite && (await admitEarly(call, name, subject, key))) ||
      (await enqueue({ call, name, key, hits: 1, extraWrite })) > 0,
  )
  if (isAdmitted) return
  const now = call.ports.clock.now()
  throw createRateLimitFault(name, await readUsage(call.db.read, name, key, now), now)
}

/**
 * Admits a hit immediately if usage is far below the limit; it is counted soon afterwards.
 * @returns false if the hit must be counted first
 */
async function admitEarly(call: LimiterCall, name: LimitName, subject: string, key: string) {
  const { client } = call.db
  const earlyBySubject = earlyHitsByClient.get(client)
  if (!earlyBySubject) {
    earlyHitsByClient.set(client, new Map())
    return false
  }
  const { used } = await readUsage(call.db.read, name, key, call.ports.clock.now())
  const existing = earlyBySubject.get(`${name} ${subject}`)
  const pending = existing ?? { call, name, key, hits: 0, used }
  pending.used = used
  if (!addEarlyHit(pending, call)) return false
  if (existing) return true
  earlyBySubject.set(`${name} ${subject}`, pending)
  if (earlyBySubject.size === 1) void countEarlyHits(client, earlyBySubject)
  return true
}

/** Adds a hit to those that were admitted early, if usage is known to be far below the limit. @returns whether it was added */
function addEarlyHit(pending: EarlyHits, call: LimiterCall): boolean {
  const max = maxHitsOf(call, pending.name)
  if (pending.used === undefined || pending.used > max / 2 || pending.hits >= max / 12) return false
  pending.hits++
  pending.call = call
  return true
}

/** Counts the hits that were admitted early, at intervals, until there are none left. */
async function countEarlyHits(client: Client, earlyBySubject: Map<string, EarlyHits>): Promise<void> {
  while (earlyBySubject.size > 0) {
    await new Promise(resolve => setTimeout(resolve, COLLECT_FOR_MS))
    if (!queues.has(client)) await countBatches(client, [])
  }
}

/**
 * Returns the hits that were admitted early. They must be counted before any others, so that a process does not admit too many.
 */
function takeEarlyHits(client: Client): WaitingHits[] {
  const earlyBySubject = earlyHitsByClient.get(client) ?? new Map<string, EarlyHits>()
  return Array.from(earlyBySubject, ([subject, pending]) => {
    const { call, name, key, hits } = pending
    const finish = () => {
      pending.hits -= hits
      pending.used = undefined
      if (pending.hits === 0) earlyBySubject.delete(subject)
    }
    // The hits have already been admitted, so a failure to count them is only logged.
    const onFailed = (error: unknown) =>
      void applyFailurePolicy(call, name, hits, () => Promise.reject(error)).then(finish, finish)
    return { call, name, key, hits, extraWrite: undefined, onCounted: finish, onFailed }
  })
}

/** Adds hits to the next transaction that counts. @returns how many of them were admitted */
function enqueue(hit: Omit<WaitingHits, 'onCounted' | 'onFailed'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const pending: WaitingHits = { ...hit, onCounted: resolve, onFailed: reject }
    const queue = queues.get(hit.call.db.client)
    if (queue) queue.push(pending)
    else void countBatches(hit.call.db.client, [pending])
  })
}

/** Counts all waiting hits, and then those that have arrived since, until none are left. */
async function countBatches(client: Client, firstBatch: WaitingHits[]): Promise<void> {
  let batch = firstBatch
  do {
    const next: WaitingHits[] = []
    queues.set(client, next)
    await countAll([...takeEarlyHits(client), ...batch])
    batch = next
  } while (batch.length > 0)
  queues.delete(client)
}

async function countAll(batch: readonly WaitingHits[]): Promise<void> {
  const byKey = Map.groupBy(batch, ({ key }) => key)
  try {
    const admitted = await batch[0]?.call.db.write(async tx => {
      const remaining = new Map<string, number>()
      for (const [key, waiting] of byKey) remaining.set(key, await countAdmitted(tx, key, waiting))
      return remaining
    })
    for (const [key, waiting] of byKey) {
      let remaining = admitted?.get(key) ?? 0
      for (const item of waiting) {
        const admittedHits = Math.min(item.hits, remaining)
        item.onCounted(admittedHits)
        remaining -= admittedHits
      }
    }
  } catch (error) {
    for (const item of batch) item.onFailed(error)
  }
}

/** Counts as many of the waiting hits of a key as the limit still allows. @returns their number */
async function countAdmitted(tx: Tx, key: string, waiting: readonly WaitingHits[]): Promise<number> {
  const [first] = waiting
  if (!first) return 0
  const { call, name } = first
  const now = call.ports.clock.now()
  const { used } = await readUsage(tx, name, key, now)
  const hits = waiting.reduce((sum, item) => sum + item.hits, 0)
  const admitted = Math.min(hits, Math.max(0, maxHitsOf(call, name) - used))
  if (admitted === 0) return 0
  await countHits(tx, name, key, admitted, now)
  await waiting.find(item => item.extraWrite)?.extraWrite?.(tx)
  return admitted
}
