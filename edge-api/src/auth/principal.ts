import type { Access } from '@portal/contract/route'
import { errors as joseErrors, jwtVerify } from 'jose'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { findSession, type Principal } from './session-store.ts'

export type { Principal }

export const TOKEN_AUDIENCE = 'portal'

const rank = { public: 0, user: 1, admin: 2, super_admin: 3 } as const

// `JWT_SECRET` is used as it stands: the key is its UTF-8 bytes.
const keys = new Map<string, Promise<CryptoKey>>()
export function signingKey(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret)
  if (known) return known
  const bytes = new TextEncoder().encode(secret)
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
  keys.set(secret, key)
  return key
}

async function claims(token: string, secrets: readonly string[], now: number) {
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, await signingKey(secret), {
        algorithms: ['HS256'],
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: new Date(now),
      })
      return payload
    } catch (error) {
      if (!(error instanceof joseErrors.JWSSignatureVerificationFailed)) return undefined
    }
  }
  return undefined
}

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
  const payload = token ? await claims(token, secrets, now) : undefined
  if (!payload || typeof payload.sid !== 'string') throw new Fault('UNAUTHENTICATED')
  const principal = await findSession(db, { sessionId: payload.sid, now })
  if (!principal || principal.id !== payload.sub) throw new Fault('UNAUTHENTICATED')
  return principal
}

/** @throws Fault `FORBIDDEN` when the role does not reach what the route asks for. */
export function requireAccess(principal: Principal, access: Access): void {
  if (rank[principal.role] < rank[access]) throw new Fault('FORBIDDEN')
}
