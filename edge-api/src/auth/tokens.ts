import { SignJWT } from 'jose'
import { signingKey, TOKEN_AUDIENCE } from './principal.ts'

/**
 * The bearer token of a session: a JWT (HS256) with `sub`, `sid`, `role`, `iat`, `exp` and `aud`.
 * @param session times in milliseconds; the token has them in whole seconds
 */
export async function signToken(
  session: { userId: string; sessionId: string; role: string; issuedAt: number; expiresAt: number },
  secrets: readonly [string, ...string[]],
): Promise<string> {
  return await new SignJWT({ sid: session.sessionId, role: session.role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(session.userId)
    .setAudience(TOKEN_AUDIENCE)
    .setIssuedAt(Math.floor(session.issuedAt / 1000))
    .setExpirationTime(Math.floor(session.expiresAt / 1000))
    .sign(await signingKey(secrets[0]))
}
