import type { Role } from '@portal/contract/shapes'
import { type Claims, readClaims } from '@portal/session/claims'

const base64url = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** Creates a token with a fake signature, which is well-formed but accepted only by the mocks. */
export function createMockToken(claims: Required<Claims> & { role: Role }): string {
  return `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}.${base64url('mock')}`
}

/** Returns the session ID in the bearer token of an `Authorization` header; undefined if it cannot be read. */
export function parseSessionId(authorization: string | null): string | undefined {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : readClaims(token)?.sid
}
