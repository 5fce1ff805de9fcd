import type { Access } from '@portal/contract/route'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { findSession, type Principal } from './session-store.ts'
import { claimsOf } from './tokens.ts'

export type { Principal }

const rank = { public: 0, user: 1, admin: 2, super_admin: 3 } as const

/**
 * The account that a bearer token stands for.
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
  return principal
}

/** @throws Fault `FORBIDDEN` when the role does not reach what the route asks for. */
export function requireAccess(principal: Principal, access: Access): void {
  if (rank[principal.role] < rank[access]) throw new Fault('FORBIDDEN')
}
