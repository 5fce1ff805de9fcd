import type { Database, Tx } from '../db/database.ts'
import { declareNotReadFromReplicas, executeLast } from '../db/deferred-writes.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import {
  allowanceOf,
  createRateLimitFault,
  type LimitName,
  limits,
  normaliseSubject,
  slotOf,
  type Usage,
  windowStartOf,
} from './rules.ts'
import { addHitIfBelow, addHits, deleteExpiredHits, findUsage } from './store.ts'

/*
 * To use a limit, a handler needs only its `Call`. If each call counts, and is rejected once the limit is used up:
 *
 *   await consume(call, 'public_tracking', call.address)
 *
 * If only some outcomes count, the limit is checked first, and the outcome is counted afterwards:
 *
 *   await requireAllowance(call, 'certificate_misses', call.user.id)
 *   if (missed) await consume(call, 'certificate_misses', call.user.id)
 *
 * The counters are stored in the database and apply across processes. Counting opens its own write transaction, so it
 * must not be called inside `db.write`. The exception is `countWithin`, which counts in the caller's transaction, for checks
 * where parallel requests could pass before the earlier ones were counted.
 */

/** The parts of a call that the limits need. */
export interface LimiterCall {
  db: Database
  ports: Pick<Ports, 'clock' | 'environment' | 'log'>
}

/**
 * Counts one hit.
 * @param subject whose hit it is, depending on the limit (`per`): the client's address, an email address or an account's ID
 * @throws Fault `RATE_LIMITED` with `Retry-After` if the limit is used up; a rejected hit does not count
 */
export async function consume(call: LimiterCall, name: LimitName, subject: string): Promise<void> {
  await applyFailurePolicy(call, name, undefined, async () => {
    const key = usageKeyOf(name, subject)
    const now = call.ports.clock.now()
    const max = maxHitsOf(call, name)
    const isAdmitted = await call.db.write(async tx => {
      declareNotReadFromReplicas(tx)
      await deleteExpiredHits(tx, { now })
      const hit = { ...hitOf(name, key, now), max, since: windowStartOf(name, now), now }
      return await executeLast(tx, () => addHitIfBelow(tx, hit))
    })
    if (!isAdmitted) throw createRateLimitFault(name, await readUsage(call.db.read, name, key, now), now)
  })
}

/**
 * Counts as many of the requested hits as the limit still allows.
 * @returns how many were admitted, from 0 to `requested`
 */
export async function consumeUpTo(
  call: LimiterCall,
  name: LimitName,
  subject: string,
  requested: number,
): Promise<number> {
  return await applyFailurePolicy(call, name, requested, async () => {
    const key = usageKeyOf(name, subject)
    const now = call.ports.clock.now()
    return await call.db.write(async tx => {
      const { used } = await readUsage(tx, name, key, now)
      const admitted = Math.min(requested, Math.max(0, maxHitsOf(call, name) - used))
      if (admitted > 0) await countHits(tx, name, key, admitted, now)
      return admitted
    })
  })
}

/** Returns how many more hits the limit allows, without counting one. */
export async function countRemaining(call: LimiterCall, name: LimitName, subject: string): Promise<number> {
  return await applyFailurePolicy(call, name, maxHitsOf(call, name), async () => {
    const { used } = await readUsage(call.db.read, name, usageKeyOf(name, subject), call.ports.clock.now())
    return Math.max(0, maxHitsOf(call, name) - used)
  })
}

/**
 * Requires that the limit is not used up, without counting a hit.
 * @param db the transaction in which the outcome will be counted (`countWithin`), so that each of many parallel requests sees
 * the hits of those before it
 * @throws Fault `RATE_LIMITED` with `Retry-After`
 */
export async function requireAllowance(
  call: LimiterCall,
  name: LimitName,
  subject: string,
  db: Tx | Database['read'] = call.db.read,
): Promise<void> {
  await applyFailurePolicy(call, name, undefined, async () => {
    const now = call.ports.clock.now()
    const usage = await readUsage(db, name, usageKeyOf(name, subject), now)
    if (usage.used >= maxHitsOf(call, name)) throw createRateLimitFault(name, usage, now)
  })
}

/** Counts one hit in the caller's transaction. It is never rejected; `requireAllowance` must be called before. */
export async function countWithin(
  tx: Tx,
  call: LimiterCall,
  name: LimitName,
  subject: string,
): Promise<void> {
  await applyFailurePolicy(call, name, undefined, async () =>
    countHits(tx, name, usageKeyOf(name, subject), 1, call.ports.clock.now()),
  )
}

export const maxHitsOf = ({ ports }: LimiterCall, name: LimitName) =>
  allowanceOf(name, ports.environment.RATE_LIMIT_SCALE)

export const readUsage = (
  db: Tx | Database['read'],
  name: LimitName,
  key: string,
  now: number,
): Promise<Usage> => findUsage(db, { key, since: windowStartOf(name, now), now })

export async function countHits(
  tx: Tx,
  name: LimitName,
  key: string,
  amount: number,
  now: number,
): Promise<void> {
  await deleteExpiredHits(tx, { now })
  await addHits(tx, { ...hitOf(name, key, now), amount })
}

function hitOf(name: LimitName, key: string, now: number) {
  const slot = slotOf(name, now)
  return { key, slot, expiresAt: slot + limits[name].window }
}

export function usageKeyOf(name: LimitName, subject: string): string {
  return `${name}:${sha256Hex(`${name}:${normaliseSubject(name, subject)}`)}`
}

/**
 * Runs `work`, which uses the counters. If it fails, the limit's `onFailure` decides: for example, logins are then rejected
 * and lookups admitted.
 * @param admittedResult the result to return if `work` fails and the limit then admits requests
 */
export async function applyFailurePolicy<T>(
  { ports }: LimiterCall,
  name: LimitName,
  admittedResult: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'RATE_LIMITED') throw error
    ports.log({
      level: 'error',
      event: 'limiter_failed',
      limit: name,
      cause: error instanceof Error ? error.name : 'unknown',
    })
    if (limits[name].onFailure === 'admit') return admittedResult
    throw new Fault('DATABASE_UNAVAILABLE', { cause: error, retryAfter: 5 })
  }
}
