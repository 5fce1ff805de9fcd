import type { Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import type { Call } from '../http/serve.ts'
import { findReply, keepReply } from './idempotency-store.ts'

/** How long a reply is replayed. */
export const KEPT_FOR = 7 * 86_400_000

type KeyedCall = Pick<Call, 'header' | 'ports' | 'db' | 'replyHeaders'> & { body: unknown }

/**
 * Runs `work` once for each `Idempotency-Key` of a scope and replays its reply afterwards. The reply is stored in the
 * transaction of its effect, so both are committed or neither. Errors are not stored.
 * @param scope the organisation and mode, or the account
 * @param action the operation; with the body it identifies the request
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for another request
 */
export async function onceForKey<T>(
  call: KeyedCall,
  { scope, action }: { scope: string; action: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(call)
  if (key === undefined) return await call.db.write(work)
  const requestHash = await sha256Hex(`${action}:${JSON.stringify(call.body)}`)
  const { reply, replayed } = await call.db.write(async tx => {
    const now = call.ports.clock.now()
    const known = await findReply(tx, { scope, key })
    if (known && known.createdAt > now - KEPT_FOR) {
      if (known.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
      // Stored as returned by `work` for the same route.
      return { reply: known.reply as T, replayed: true }
    }
    const made = await work(tx)
    await keepReply(tx, { scope, key, requestHash, reply: made, createdAt: now })
    return { reply: made, replayed: false }
  })
  if (replayed) call.replyHeaders = { ...call.replyHeaders, 'Idempotent-Replayed': 'true' }
  return reply
}

/** The scope of an organisation's live requests. */
export const liveScope = (organisationId: string): string => `${organisationId}:live`
