import type { Client } from '@libsql/client'
import type { Tx } from '../db/database.ts'
import { allowance, count, guarded, keyOf, type Limiting, usageNow } from './limiter.ts'
import { type LimitName, limited } from './rules.ts'

/*
 * Counts hits of frequent calls: hits within a few milliseconds are counted in one transaction, so that a busy caller does not
 * cost a transaction per call. Far below its limit, a hit is admitted before it is counted: it need not wait for a transaction
 * of others, such as a running batch. The count is exact within a process; several can together admit too many hits in a burst,
 * at most a twelfth of the limit for each process after the first.
 */

interface Waiting {
  call: Limiting
  name: LimitName
  key: string
  /** Written in the transaction of the hits, once for all hits of a key. */
  also: ((tx: Tx) => Promise<void>) | undefined
  done(admitted: boolean): void
  failed(error: unknown): void
}

/** How long hits that were already admitted are collected before they are counted, in milliseconds. */
const COLLECTED = 20

/** By database client: one per process, or per request on workers, where nothing is shared. */
const queues = new WeakMap<Client, Waiting[]>()

/** Admitted hits that are not counted yet, by client and key. A client with an entry here outlives a request. */
const uncounted = new WeakMap<Client, Map<string, number>>()

/**
 * Counts one hit together with those that arrive at the same time.
 * @param subject the account's or key's ID
 * @throws Fault `RATE_LIMITED` with `Retry-After` if the limit is used up; the refused hit does not count
 */
export async function consumeShared(
  call: Limiting,
  name: LimitName,
  subject: string,
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const key = keyOf(name, subject)
  const isAdmitted = await guarded(
    call,
    name,
    true,
    async () => (!also && (await admittedEarly(call, name, key))) || (await queued(call, name, key, also)),
  )
  if (isAdmitted) return
  const now = call.ports.clock.now()
  throw limited(name, await usageNow(call.db.read, name, key, now), now)
}

/** Admits a hit far below the limit, and counts it soon after. @returns false if it must be counted first */
async function admittedEarly(call: Limiting, name: LimitName, key: string): Promise<boolean> {
  const { client } = call.db
  const early = uncounted.get(client)
  if (!early) {
    uncounted.set(client, new Map())
    return false
  }
  const most = allowance(call, name)
  const isFar = () => (early.get(key) ?? 0) < most / 12
  if (!isFar()) return false
  const { used } = await usageNow(call.db.read, name, key, call.ports.clock.now())
  if (used > most / 2 || !isFar()) return false
  early.set(key, (early.get(key) ?? 0) + 1)
  const counted = guarded(call, name, true, () => queued(call, name, key, undefined, COLLECTED))
  void counted
    // `guarded` has logged it, and this limit admits hits that cannot be counted.
    .catch(() => undefined)
    .finally(() => {
      const left = (early.get(key) ?? 1) - 1
      if (left > 0) early.set(key, left)
      else early.delete(key)
    })
  return true
}

/** @param pause before a new transaction, in milliseconds */
function queued(
  call: Limiting,
  name: LimitName,
  key: string,
  also: Waiting['also'],
  pause = 0,
): Promise<boolean> {
  return new Promise((done, failed) => {
    const mine: Waiting = { call, name, key, also, done, failed }
    const queue = queues.get(call.db.client)
    if (queue) queue.push(mine)
    else void work(call, [mine], pause)
  })
}

/** Counts all waiting hits, and then those that have arrived in the meantime. */
async function work(call: Limiting, first: Waiting[], pause: number): Promise<void> {
  const { client } = call.db
  if (pause > 0) {
    queues.set(client, first)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  for (let batch = first; batch.length > 0; ) {
    const next: Waiting[] = []
    queues.set(client, next)
    await countAll(batch)
    batch = next
  }
  queues.delete(client)
}

async function countAll(batch: readonly Waiting[]): Promise<void> {
  const byKey = new Map<string, Waiting[]>()
  for (const hit of batch) byKey.set(hit.key, [...(byKey.get(hit.key) ?? []), hit])
  try {
    const admitted = await batch[0]?.call.db.write(async tx => {
      const left = new Map<string, number>()
      for (const [key, hits] of byKey) left.set(key, await admit(tx, key, hits))
      return left
    })
    for (const [key, hits] of byKey)
      hits.forEach((hit, at) => {
        hit.done(at < (admitted?.get(key) ?? 0))
      })
  } catch (error) {
    for (const hit of batch) hit.failed(error)
  }
}

/** Counts as many hits of a key as the limit still allows. @returns their number */
async function admit(tx: Tx, key: string, hits: readonly Waiting[]): Promise<number> {
  const [first] = hits
  if (!first) return 0
  const { call, name, also } = first
  const now = call.ports.clock.now()
  const { used } = await usageNow(tx, name, key, now)
  const admitted = Math.min(hits.length, Math.max(0, allowance(call, name) - used))
  if (admitted === 0) return 0
  await count(tx, name, key, admitted, now)
  await also?.(tx)
  return admitted
}
