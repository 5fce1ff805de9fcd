import { parse, serialize } from 'hono/utils/cookie'
import { SignJWT } from 'jose'
import * as z from 'zod'
import { importHmacKey, verifyPayload } from '../accounts/tokens.ts'
import type { Override, Ports } from '../ports.ts'

/*
 * Cookie that replaces a micro-frontend of a running portal with a developer's own, for one browser
 * (docs/decisions/127-local-overrides.md). It is signed, so that other pages on this host cannot choose the code that a browser
 * runs.
 */

const AUDIENCE = 'override'
/** How long an override lasts, in seconds: a working day, like a session. */
const LIFETIME_SECONDS = 8 * 60 * 60

const shape = z.object({ name: z.string(), origin: z.string(), exp: z.number() })

type CookiePorts = Pick<Ports, 'clock' | 'environment'>

const isSecure = ({ environment }: CookiePorts) => environment.PUBLIC_URL.startsWith('https:')
const cookieName = (ports: CookiePorts) => (isSecure(ports) ? '__Host-override' : 'portal-override')

/** Hosts that always refer to the browser's own machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns the origin of a development server in the form that the portal uses, or undefined if the installation does
 * not allow it. Loopback addresses become `localhost`, which is the address that the development server's own client
 * connects to.
 * @param allowed allowed origins; `loopback` allows every port of the browser's machine
 */
export function toAllowedOrigin(address: string, allowed: readonly string[]): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port, origin, username, password } = new URL(address)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  if (allowed.includes(origin)) return origin
  if (!allowed.includes('loopback') || !LOOPBACK.has(hostname)) return undefined
  return `${protocol}//localhost${port ? `:${port}` : ''}`
}

/** Returns the override from a browser's `Cookie` header, if the installation still allows its origin. */
export async function readOverride(header: string | null, ports: CookiePorts): Promise<Override | undefined> {
  const { FRONT_END_OVERRIDES: allowed, JWT_SECRETS } = ports.environment
  const name = cookieName(ports)
  const token = allowed.length > 0 && header ? parse(header, name)[name] : undefined
  if (!token) return undefined
  const payload = await verifyPayload(token, JWT_SECRETS, ports.clock.now(), {
    audience: AUDIENCE,
    requiredClaims: ['exp'],
  })
  const { data } = shape.safeParse(payload)
  if (!data || toAllowedOrigin(data.origin, allowed) !== data.origin) return undefined
  return { name: data.name, origin: data.origin, until: data.exp * 1000 }
}

/** Returns the `Set-Cookie` header that starts or ends an override. */
export async function createOverrideCookie(
  override: Pick<Override, 'name' | 'origin'> | undefined,
  ports: CookiePorts,
): Promise<string> {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(ports) } as const
  if (!override) return serialize(cookieName(ports), '', { ...options, maxAge: 0 })
  const token = await new SignJWT({ name: override.name, origin: override.origin })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(ports.clock.now() / 1000) + LIFETIME_SECONDS)
    .sign(await importHmacKey(ports.environment.JWT_SECRETS[0]))
  return serialize(cookieName(ports), token, { ...options, maxAge: LIFETIME_SECONDS })
}
