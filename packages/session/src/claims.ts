import { isRecord } from '@portal/contract/is-record'

/** Claims that the portal reads from the session token. Never used for authorisation: the server decides. */
export interface Claims {
  sub?: string
  sid?: string
  role?: string
  /** Unix timestamp in seconds (RFC 7519). */
  iat?: number
  exp?: number
}

const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOr = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

function decodeBody(token: string): unknown {
  const [, body, signature, ...rest] = token.split('.')
  if (!body || signature === undefined || rest.length > 0) return undefined
  const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, character => character.charCodeAt(0))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

/** Returns the claims of a JWT, or undefined if it cannot be decoded. Does not check the signature. */
export function readClaims(token: string): Claims | undefined {
  try {
    const body = decodeBody(token)
    if (!isRecord(body)) return undefined
    const claims = {
      sub: textOr(body.sub),
      sid: textOr(body.sid),
      role: textOr(body.role),
      iat: numberOr(body.iat),
      exp: numberOr(body.exp),
    }
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  } catch {
    return undefined
  }
}

/** True once `exp` has passed, or if the token cannot be decoded or has no expiry. `now` is in milliseconds. */
export function isExpired(token: string, now: number = Date.now()): boolean {
  const exp = readClaims(token)?.exp
  return exp === undefined || exp * 1000 <= now
}
