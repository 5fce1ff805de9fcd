import type { Role } from '@portal/contract/shapes'
import { type Claims, readClaims } from '@portal/session/claims'

const base64url = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** A well-formed token with a fake signature: only the mocks accept it. */
export function mockToken(claims: Required<Claims> & { role: Role }): string {
  return `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}.${base64url('mock')}`
}

/** Returns the session ID of such a token; undefined for anything else. */
export function sessionIdOf(authorization: string | null): string | undefined {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : readClaims(token)?.sid
}
