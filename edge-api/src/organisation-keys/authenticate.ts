import { isWellFormed } from '@portal/rules/api-key'
import { requestMessages } from '@portal/rules/messages'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { consume, type LimiterCall } from '../limits/limiter.ts'
import { consumeShared } from '../limits/shared-count.ts'
import type { KeyPrincipal } from '../principal.ts'
import { findKeyByHash, recordKeyUse, USE_INTERVAL_MS } from './store.ts'

interface KeyCall extends LimiterCall {
  authorization: string | undefined
  /** The client's IP address. */
  address: string
}

const BEARER_KEY = /^Bearer +(cv_\S+)$/i

/** Creates the fault for an invalid key. It is the same for every reason. */
const createInvalidKeyFault = () => new Fault('UNAUTHENTICATED', { message: requestMessages.invalidKey })

/**
 * Finds the API key in a bearer token. Unknown, expired and revoked keys are looked up and rejected in the same way; a key with
 * a wrong checksum is not looked up.
 * @throws Fault `UNAUTHENTICATED`, or `RATE_LIMITED` after too many invalid keys from one address
 */
export async function authenticateKey(call: KeyCall): Promise<KeyPrincipal> {
  const secret = BEARER_KEY.exec(call.authorization ?? '')?.[1]
  if (secret === undefined) throw createInvalidKeyFault()
  const found = isWellFormed(secret)
    ? await findKeyByHash(call.db.read, { hash: sha256Hex(secret) })
    : undefined
  const now = call.ports.clock.now()
  const isValid =
    found !== undefined &&
    found.revokedAt === null &&
    found.expiresAt > now &&
    // A creation time in the future means that the key was created while the clock was ahead.
    found.createdAt <= now + MAX_CLOCK_SKEW_MS &&
    found.organisationState !== 'closed'
  if (!isValid) {
    await consume(call, 'api_key_misses', call.address)
    throw createInvalidKeyFault()
  }
  const { id, organisationId, name, last4, mode, access, expiresAt, lastUsedAt } = found
  return { id, organisationId, name, last4, mode, access, expiresAt, lastUsedAt }
}

/** Counts a call with a valid key towards its rate limit, and records that the key was used. @throws Fault `RATE_LIMITED` */
export async function countCall(call: LimiterCall, { id, lastUsedAt }: KeyPrincipal): Promise<void> {
  const now = call.ports.clock.now()
  const isRecorded = lastUsedAt !== null && Math.abs(now - lastUsedAt) < USE_INTERVAL_MS
  await consumeShared(call, 'api_key', id, isRecorded ? undefined : tx => recordKeyUse(tx, { id, now }))
}
