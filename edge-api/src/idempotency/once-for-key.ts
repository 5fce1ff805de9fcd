import type { Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import type { Call } from '../http/serve.ts'
import { seal, unseal } from '../sealing.ts'
import { findReply, storeReply } from './store.ts'

/** How long a reply can be replayed, in milliseconds. */
const REPLAY_PERIOD_MS = 7 * 86_400_000

/** How long a request waits for an earlier one with the same key before it is rejected, in milliseconds. */
const WAIT_LIMIT_MS = 1000

type IdempotentCall = Pick<Call, 'header' | 'ports' | 'db' | 'replyHeaders'> & { body: unknown }

interface OnceOptions {
  /** Whose key it is: an organisation and mode, or an account. The same key in another scope is independent. */
  scope: string
  /** The operation. Together with the body, it identifies the request. */
  action: string
  /**
   * The value that must be the same when the key is used again: by default, the whole body. Pass a subset if the body contains
   * a password.
   */
  request?: unknown
  /** True if the reply contains a secret and must therefore be stored encrypted. */
  secret?: boolean
}

/**
 * Runs `work` for the first request with an `Idempotency-Key` in a scope, and replays its reply to later ones. The reply is
 * stored in the same transaction as the changes, so either both are committed or neither is. Errors are not stored.
 * Simultaneous requests wait for the first one.
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for another request; `IDEMPOTENCY_IN_PROGRESS` if the first request
 * takes too long
 */
export async function runOnceForKey<T>(
  call: IdempotentCall,
  { scope, action, request = call.body, secret = false }: OnceOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(call)
  if (key === undefined) return await call.db.write(work)
  const requestHash = sha256Hex(`${action}:${JSON.stringify(request)}`)
  const { reply, replayed } = await serialiseByKey(`${scope} ${key}`, () =>
    call.db.write(async tx => {
      const now = call.ports.clock.now()
      const storedReply = await findReply(tx, { scope, key })
      if (storedReply && storedReply.createdAt > now - REPLAY_PERIOD_MS) {
        if (storedReply.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
        return { reply: await decodeReply<T>(call, storedReply.reply, secret), replayed: true }
      }
      const result = await work(tx)
      const stored = secret
        ? await seal(result, call.ports.environment.JWT_SECRETS, 'idempotent reply')
        : result
      await storeReply(tx, { scope, key, requestHash, reply: stored, createdAt: now })
      return { reply: result, replayed: false }
    }),
  )
  if (replayed) markReplayed(call)
  return reply
}

/** Returns the stored reply, decrypted if it is secret. */
async function decodeReply<T>({ ports }: IdempotentCall, stored: unknown, secret: boolean): Promise<T> {
  if (!secret) return stored as T
  return (await unseal(String(stored), ports.environment.JWT_SECRETS, 'idempotent reply')) as T
}

/** Requests in progress in this process, by scope and key. */
const inProgress = new Map<string, Promise<unknown>>()

/**
 * Runs `work` as soon as no earlier request with the same key is in progress in this process; throws if that takes too long.
 * Between processes, the database serialises the writes.
 */
async function serialiseByKey<T>(scopedKey: string, work: () => Promise<T>): Promise<T> {
  for (let earlier = inProgress.get(scopedKey); earlier; earlier = inProgress.get(scopedKey))
    await waitFor(earlier)
  const current = work()
  inProgress.set(scopedKey, current)
  try {
    return await current
  } finally {
    if (inProgress.get(scopedKey) === current) inProgress.delete(scopedKey)
  }
}

/**
 * Waits for an earlier request to finish, whether it succeeds or fails. Its failure is reported only to its own caller.
 * @throws Fault `IDEMPOTENCY_IN_PROGRESS` if it has not finished in time
 */
async function waitFor(earlier: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault('IDEMPOTENCY_IN_PROGRESS', { retryAfter: 1 })), WAIT_LIMIT_MS)
  })
  try {
    await Promise.race([earlier.catch(() => undefined), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the scope of an organisation's requests in live mode. */
export const liveScope = (organisationId: string): string => `${organisationId}:live`

/** Returns the scope of an organisation's requests in test mode. */
export const testScope = (organisationId: string): string => `${organisationId}:test`
