import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { decodeBase64url } from '../base64url.ts'
import { addBounded } from '../bounded-map.ts'

/*
 * The bearer token of a session: a JWT (HS256) with `sub`, `sid`, `role`, `iat`, `exp` and `aud`. It only identifies a session;
 * the database decides whether that session is active and which account it belongs to.
 */

const AUDIENCE = 'portal'

// The key is the UTF-8 bytes of `JWT_SECRET`, unchanged.
const keys = new Map<string, Promise<CryptoKey>>()
export function importHmacKey(secret: string): Promise<CryptoKey> {
  const cached = keys.get(secret)
  if (cached) return cached
  const bytes = new TextEncoder().encode(secret)
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
  keys.set(secret, key)
  return key
}

/** Signs the token of a session. @param session its times are in milliseconds; the token's are in whole seconds */
export async function signToken(
  session: { userId: string; sessionId: string; role: string; issuedAt: number; expiresAt: number },
  secrets: readonly [string, ...string[]],
): Promise<string> {
  return await new SignJWT({ sid: session.sessionId, role: session.role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(session.userId)
    .setAudience(AUDIENCE)
    .setIssuedAt(Math.floor(session.issuedAt / 1000))
    .setExpirationTime(Math.floor(session.expiresAt / 1000))
    .sign(await importHmacKey(secrets[0]))
}

/** The claims of a token; `expiresAt` is in milliseconds. */
export interface Claims {
  sessionId: string
  userId: string
  expiresAt: number
}

/** Maximum number of tokens in the cache; each takes about 300 bytes. */
const MAX_CACHED = 5000
// Verified claims, keyed by the list of secrets, so that they are garbage-collected together with the environment that owns the
// list.
const verifiedClaims = new WeakMap<readonly string[], Map<string, Claims>>()

/**
 * Returns the claims of a token that one of the secrets signed and that has not expired. The signature is verified once per
 * token, because the result does not change; the expiry is checked on each call.
 * @param now milliseconds since 1970
 */
export async function claimsOf(
  token: string,
  secrets: readonly string[],
  now: number,
): Promise<Claims | undefined> {
  const cache = verifiedClaims.get(secrets) ?? new Map<string, Claims>()
  verifiedClaims.set(secrets, cache)
  const claims = cache.get(token) ?? (await verifyToken(token, secrets, now))
  if (!claims || claims.expiresAt <= now) {
    cache.delete(token)
    return undefined
  }
  if (!cache.has(token)) addBounded(cache, token, claims, MAX_CACHED)
  return claims
}

async function verifyToken(
  token: string,
  secrets: readonly string[],
  now: number,
): Promise<Claims | undefined> {
  const options = { audience: AUDIENCE, requiredClaims: ['sub', 'sid', 'exp'] }
  const { sid, sub = '', exp = 0 } = (await verifyPayload(token, secrets, now, options)) ?? {}
  return typeof sid === 'string' ? { sessionId: sid, userId: sub, expiresAt: exp * 1000 } : undefined
}

/** Returns the payload of a JWT that one of the secrets signed, or `undefined`. @param now milliseconds since 1970 */
export async function verifyPayload(
  token: string,
  secrets: readonly string[],
  now: number,
  options: { audience: string; requiredClaims: string[] },
): Promise<JWTPayload | undefined> {
  if (!token.split('.').every(decodeBase64url)) return undefined
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, await importHmacKey(secret), {
        ...options,
        algorithms: ['HS256'],
        currentDate: new Date(now),
      })
      return payload
    } catch {
      // Try the next secret.
    }
  }
  return undefined
}
