import { isRecord } from '@portal/contract/is-record'

/** Claims in the session token that the portal reads. They are never used for authorisation, which is up to the server. */
export interface Claims {
  sub?: string
  sid?: string
  role?: string
  /** Unix timestamp in seconds (RFC 7519). */
  iat?: number
  exp?: number
}

const stringOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOrUndefined = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

function decodeBody(token: string): unknown {
  const [, body, signature, ...rest] = token.split('.')
  if (!body || signature === undefined || rest.length > 0) return undefined
  const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, character => character.charCodeAt(0))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

/** Returns the claims of a JWT, or undefined if it cannot be decoded. The signature is not checked. */
export function readClaims(token: string): Claims | undefined {
  try {
    const body = decodeBody(token)
    if (!isRecord(body)) return undefined
    const claims = {
      sub: stringOrUndefined(body.sub),
      sid: stringOrUndefined(body.sid),
      role: stringOrUndefined(body.role),
      iat: numberOrUndefined(body.iat),
      exp: numberOrUndefined(body.exp),
    }
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  } catch {
    return undefined
  }
}

/** True if the token has expired, has no expiry, or cannot be decoded. `now` is a Unix timestamp in milliseconds. */
export function isExpired(token: string, now: number = Date.now()): boolean {
  const exp = readClaims(token)?.exp
  return exp === undefined || exp * 1000 <= now
}
