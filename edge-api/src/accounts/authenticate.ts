import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'
import { findSession } from './session-store.ts'
import { claimsOf } from './tokens.ts'

/**
 * The account that a bearer token identifies.
 * @throws Fault `UNAUTHENTICATED` for a missing, bad, expired or revoked token or a disabled account.
 */
export async function authenticate(
  db: Reader,
  authorization: string | undefined,
  secrets: readonly string[],
  now: number,
): Promise<Principal> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
  const claims = token ? await claimsOf(token, secrets, now) : undefined
  if (!claims) throw new Fault('UNAUTHENTICATED')
  const principal = await findSession(db, { sessionId: claims.sessionId, now })
  if (!principal || principal.id !== claims.userId) throw new Fault('UNAUTHENTICATED')
  return { ...principal, tokenExpiresAt: claims.expiresAt }
}
