import type { Certificate } from '@portal/contract/shapes'
import type { CertificateFields } from '@portal/fixtures/certificates'
import { makeCertificate, makeUser, type Registration } from '@portal/fixtures/factories'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { inject } from 'vitest'
import type { PortalAddress } from './servers/portal-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** One portal for each worker process that runs test files of the project. */
    portals: PortalAddress[]
  }
}

/** Returns the portal that all tests of a file share; no other file uses it at the same time. */
export function sharedPortal(): PortalAddress {
  const portals = inject('portals')
  const portal = portals[(Number(process.env.VITEST_POOL_ID) - 1) % portals.length]
  if (!portal) throw new Error('this project has no portal')
  return portal
}

/** The response to a call. `body` is the parsed JSON, or the text if the response is not JSON. */
export interface ApiResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape and assert what they expect.
  body: any
  headers: Headers
}

export interface RequestOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
  /** The portal to call; by default the shared one. */
  portal?: PortalAddress
}

/** Sends a call over HTTP; `path` is below `/api`. Does not throw for any status. */
export async function request(
  method: string,
  path: string,
  { token, body, headers = {}, portal = sharedPortal() }: RequestOptions = {},
): Promise<ApiResponse> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
  const response = await fetch(`${portal.url}/api${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    body: isJson && text ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

/** A captured mail. */
export interface CapturedMail {
  to: string
  subject: string
  text: string
  html: string
}

/**
 * Returns the mails to an address, newest first. Waits until there are `atLeast`, because mails are sent after the response.
 */
export async function waitForMails(
  to: string,
  { atLeast = 1, portal = sharedPortal() } = {},
): Promise<CapturedMail[]> {
  return eventually(async () => {
    const response = await fetch(`${portal.url}/mailbox?to=${encodeURIComponent(to)}`, {
      headers: { accept: 'application/json' },
    })
    const { mails } = (await response.json()) as { mails: CapturedMail[] }
    return mails.length >= atLeast ? mails : undefined
  }, `${atLeast} mail(s) to ${to}`)
}

/** Retries until `attempt` returns something. @throws after `timeoutMs`; `description` names what did not happen */
export async function eventually<T>(
  attempt: () => Promise<T | undefined>,
  description: string,
  timeoutMs = WAIT_TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await attempt()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`did not happen in time: ${description}`)
    await new Promise(resolve => setTimeout(resolve, 40))
  }
}

/** Returns the token of the newest link to `page` that was mailed to an address. */
export async function waitForMailedToken(
  page: 'verify-email' | 'reset-password' | 'invitations',
  to: string,
  portal = sharedPortal(),
): Promise<string> {
  return eventually(async () => {
    const mails = await waitForMails(to, { portal })
    return mails.map(mail => new RegExp(`/${page}/([\\w-]+)`).exec(mail.text)?.[1]).find(token => token)
  }, `a link to ${page} for ${to}`)
}

export interface Account extends Registration {
  token: string
  id: string
}

/** Logs in. @throws if the portal refuses */
export async function signIn(
  email: string,
  password: string,
  portal = sharedPortal(),
): Promise<{ token: string; id: string }> {
  const { status, body } = await request('POST', '/auth/login', { body: { email, password }, portal })
  if (status !== 200) throw new Error(`login of ${email}: ${status} ${JSON.stringify(body)}`)
  return { token: body.token, id: body.user.id }
}

/** Creates an account for a test: registers it, confirms its address with the emailed link, and logs in. */
export async function newAccount(
  overrides: Partial<Registration> = {},
  portal = sharedPortal(),
): Promise<Account> {
  const registration = makeUser(overrides)
  const registered = await request('POST', '/auth/register', { body: registration, portal })
  if (registered.status !== 201)
    throw new Error(`register: ${registered.status} ${JSON.stringify(registered.body)}`)
  const token = await waitForMailedToken('verify-email', registration.email, portal)
  const verified = await request('GET', `/auth/verify-email/${token}`, { portal })
  if (verified.status !== 200) throw new Error(`verify: ${verified.status} ${JSON.stringify(verified.body)}`)
  return { ...registration, ...(await signIn(registration.email, registration.password, portal)) }
}

const staffSessions = new Map<string, Promise<{ token: string }>>()

/**
 * Returns the session token of the demo's admin or super admin. All tests of a file share the session (hashing a password is
 * slow), so no test may end it.
 */
export async function staffToken(role: 'admin' | 'super_admin', portal = sharedPortal()): Promise<string> {
  const persona = role === 'admin' ? personas.admin : personas.superAdmin
  const name = `${role} ${portal.url}`
  const session = staffSessions.get(name) ?? signIn(persona.email, DEMO_PASSWORD, portal)
  staffSessions.set(name, session)
  return (await session).token
}

/** Lets the next test file log in again, because a file may end the sessions of staff. */
export const forgetStaffSessions = () => staffSessions.clear()

/** Creates a certificate for a test, as the demo's admin. */
export async function newCertificate(
  overrides: Partial<CertificateFields> = {},
  portal = sharedPortal(),
): Promise<Certificate> {
  const { status, body } = await request('POST', '/admin/certificates', {
    token: await staffToken('admin', portal),
    body: makeCertificate(overrides),
    portal,
  })
  if (status !== 201) throw new Error(`certificate: ${status} ${JSON.stringify(body)}`)
  return body.certificate
}

/** Sends a control call to the sandbox gateway, e.g. `control('settle', { request_id, code: '00' })`. */
export async function control(call: string, body: object, portal = sharedPortal()): Promise<ApiResponse> {
  const response = await fetch(`${portal.paymentUrl}/_control/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${portal.controlToken}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json().catch(() => ''), headers: response.headers }
}

/** Ends a payment at the gateway as its card page does: `00` approved, `51` declined, `Z6` cancelled… */
export async function endPaymentAtGateway(
  reference: string,
  code: string,
  portal = sharedPortal(),
): Promise<void> {
  const { status, body } = await control('settle', { request_id: reference, code }, portal)
  if (status !== 200) throw new Error(`end payment ${reference}: ${status} ${JSON.stringify(body)}`)
}
