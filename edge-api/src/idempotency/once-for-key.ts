import type { Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import type { Call } from '../http/serve.ts'
import { open, seal } from '../sealing.ts'
import { findReply, storeReply } from './store.ts'

/** How long a reply is replayed. */
const REPLAY_PERIOD = 7 * 86_400_000

/** How long a request waits for the first one with its key before it is refused, in milliseconds. */
const PATIENCE = 1000

type KeyedCall = Pick<Call, 'header' | 'ports' | 'db' | 'replyHeaders'> & { body: unknown }

interface Once {
  /** The organisation and mode, or the account. */
  scope: string
  /** The operation; with the body it identifies the request. */
  action: string
  /** Identifies the request if that is not the whole body, which may contain a password. */
  request?: unknown
  /** True if the reply contains a secret, so that it is stored encrypted. */
  secret?: boolean
}

/**
 * Runs `work` once for each `Idempotency-Key` of a scope and replays its reply afterwards. The reply is stored in the
 * transaction of its effect, so both are committed or neither. Errors are not stored. Simultaneous requests wait for the first
 * one.
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for another request; `IDEMPOTENCY_IN_PROGRESS` if the first request
 * takes too long
 */
export async function onceForKey<T>(
  call: KeyedCall,
  { scope, action, request = call.body, secret = false }: Once,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(call)
  if (key === undefined) return await call.db.write(work)
  const requestHash = sha256Hex(`${action}:${JSON.stringify(request)}`)
  const { reply, replayed } = await inTurn(`${scope} ${key}`, () =>
    call.db.write(async tx => {
      const now = call.ports.clock.now()
      const known = await findReply(tx, { scope, key })
      if (known && known.createdAt > now - REPLAY_PERIOD) {
        if (known.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
        return { reply: await readable<T>(call, known.reply, secret), replayed: true }
      }
      const made = await work(tx)
      const kept = secret ? await seal(made, call.ports.environment.JWT_SECRETS, 'idempotent reply') : made
      await storeReply(tx, { scope, key, requestHash, reply: kept, createdAt: now })
      return { reply: made, replayed: false }
    }),
  )
  if (replayed) markReplayed(call)
  return reply
}

/** Stored as returned by `work` for the same route. */
async function readable<T>({ ports }: KeyedCall, stored: unknown, secret: boolean): Promise<T> {
  if (!secret) return stored as T
  return (await open(String(stored), ports.environment.JWT_SECRETS, 'idempotent reply')) as T
}

/** Requests in progress in this process, by scope and key. */
const underWay = new Map<string, Promise<unknown>>()

/** Runs `work` after the one with the same name, or refuses if that takes too long. Other processes wait for the database. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  for (let first = underWay.get(name); first; first = underWay.get(name)) await withinPatience(first)
  const own = work()
  underWay.set(name, own)
  try {
    return await own
  } finally {
    if (underWay.get(name) === own) underWay.delete(name)
  }
}

/**
 * @throws Fault `IDEMPOTENCY_IN_PROGRESS` if `first` has not ended in time; a failure of `first` is reported to its own caller
 */
async function withinPatience(first: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault('IDEMPOTENCY_IN_PROGRESS', { retryAfter: 1 })), PATIENCE)
  })
  try {
    await Promise.race([first.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The scope of an organisation's live requests. */
export const liveScope = (organisationId: string): string => `${organisationId}:live`

/** The scope of an organisation's requests in test mode. */
export const testScope = (organisationId: string): string => `${organisationId}:test`
