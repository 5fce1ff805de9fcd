import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'
import { findSession } from './session-store.ts'
import { claimsOf } from './tokens.ts'

/**
 * Returns the account that a bearer token identifies.
 * @param onClaims called with the account's ID before its session is read, so that other reads can share one request to the
 * database server
 * @throws Fault `UNAUTHENTICATED` if the token is missing, malformed, expired or revoked, or the account is disabled
 */
export async function authenticate(
  db: Reader,
  authorization: string | undefined,
  secrets: readonly string[],
  now: number,
  onClaims?: (userId: string) => void,
): Promise<Principal> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
  const claims = token ? await claimsOf(token, secrets, now) : undefined
  if (!claims) throw new Fault('UNAUTHENTICATED')
  onClaims?.(claims.userId)
  const principal = await findSession(db, { sessionId: claims.sessionId, now })
  if (!principal || principal.id !== claims.userId) throw new Fault('UNAUTHENTICATED')
  return { ...principal, tokenExpiresAt: claims.expiresAt }
}
