import { parse, serialize } from 'hono/utils/cookie'
import { SignJWT } from 'jose'
import * as z from 'zod'
import type { Ports } from '../ports.ts'
import { importHmacKey, verifyPayload } from './tokens.ts'

/*
 * Device cookies, as OWASP describes them ("Slow down online guessing attacks with device cookies"): a browser that has logged
 * in to an account before has its own rate limit for that account, so that strangers who guess passwords cannot lock the owner
 * out. The cookie grants nothing else.
 */

const AUDIENCE = 'device'
/** How long a browser is remembered after a login, in seconds. */
const LIFETIME_SECONDS = 365 * 24 * 60 * 60
/** Maximum number of accounts that a cookie remembers (the most recent ones), so that the cookie stays small. */
const MAX_ACCOUNTS = 5

const deviceShape = z.object({ sub: z.uuid(), accounts: z.array(z.string()).max(MAX_ACCOUNTS) })

/** A browser and the accounts that have logged in with it, most recent first. */
export interface Device {
  id: string
  accounts: readonly string[]
}

type CookiePorts = Pick<Ports, 'clock' | 'environment'>

const isSecure = ({ environment }: CookiePorts) => environment.PUBLIC_URL.startsWith('https:')
const cookieName = (ports: CookiePorts) => (isSecure(ports) ? '__Secure-device' : 'device')

/** Returns the device from a `Cookie` header, or `undefined` if it contains no valid device cookie. */
export async function deviceOf(header: string | undefined, ports: CookiePorts): Promise<Device | undefined> {
  const name = cookieName(ports)
  const token = header === undefined ? undefined : parse(header, name)[name]
  if (!token) return undefined
  const payload = await verifyPayload(token, ports.environment.JWT_SECRETS, ports.clock.now(), {
    audience: AUDIENCE,
    requiredClaims: ['sub', 'exp'],
  })
  const parsed = deviceShape.safeParse(payload)
  return parsed.success ? { id: parsed.data.sub, accounts: parsed.data.accounts } : undefined
}

/** Returns the `Set-Cookie` header that adds an account to those that the browser has logged in to. */
export async function createDeviceCookie(
  device: Device | undefined,
  userId: string,
  ports: CookiePorts,
): Promise<string> {
  const now = Math.floor(ports.clock.now() / 1000)
  const accounts = [userId, ...(device?.accounts ?? []).filter(id => id !== userId)].slice(0, MAX_ACCOUNTS)
  const token = await new SignJWT({ accounts })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(device?.id ?? crypto.randomUUID())
    .setAudience(AUDIENCE)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(await importHmacKey(ports.environment.JWT_SECRETS[0]))
  return serialize(cookieName(ports), token, {
    path: '/api/auth/login',
    maxAge: LIFETIME_SECONDS,
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(ports),
  })
}
