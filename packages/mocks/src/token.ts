import type { Role } from '@portal/contract/shapes'

/** What the session store reads from a token. */
interface Claims {
  sub: string
  sid: string
  role: Role
  /** Seconds since 1970. */
  iat: number
  exp: number
}

const base64url = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** A token of the right shape whose signature signs nothing: only the mocks accept it. */
export function mockToken(claims: Claims): string {
  return `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}.${base64url('mock')}`
}

/** The session id of a token made above; undefined for anything else. */
export function sessionIdOf(authorization: string | null): string | undefined {
  const body = /^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/i.exec(authorization ?? '')?.[1]
  if (!body) return undefined
  try {
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
    const sid = typeof claims === 'object' && claims !== null && 'sid' in claims ? claims.sid : undefined
    return typeof sid === 'string' ? sid : undefined
  } catch {
    return undefined
  }
}
