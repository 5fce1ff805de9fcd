import type { Role } from '@portal/contract/shapes'
import { makeCertificate, makeUser, type Registration } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { type ApiResponse, eventually, type RequestOptions, request } from '../portal.ts'
import type { PortalAddress } from '../servers/portal-server.ts'

/** A portal that is known only by its addresses, with a way to run its scheduled jobs. */
export interface Subject extends PortalAddress {
  /** Runs the scheduled jobs on workers; it is missing for long-lived runtimes, which run them by themselves. */
  runScheduledJobs?(): Promise<void>
}

export interface Person extends Registration {
  id: string
  token: string
}

/** Accounts that several tests share and none of them changes, because hashing a password is slow. */
export interface SharedAccounts {
  superAdmin(): Promise<string>
  admin(): Promise<string>
  someone(): Promise<{ id: string; email: string; token: string }>
}

export type Tester = ReturnType<typeof createTester>

/**
 * Returns the calls that a test makes to a portal over HTTP, from a separate IP address, so that tests do not share rate
 * limits.
 */
export function createTester(subject: () => Subject) {
  const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`

  const call = (
    method: string,
    path: string,
    { headers, ...options }: RequestOptions = {},
  ): Promise<ApiResponse> =>
    request(method, path, {
      ...options,
      headers: { 'x-forwarded-for': address, ...headers },
      portal: subject(),
    })

  /** Returns the body of a successful response. @throws for an error */
  async function callOk(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ApiResponse['body']> {
    const { status, body } = await call(method, path, options)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async function waitForMailedLink(page: 'verify-email' | 'reset-password', to: string): Promise<string> {
    return await eventually(async () => {
      const answer = await fetch(`${subject().url}/mailbox?to=${encodeURIComponent(to)}`, {
        headers: { accept: 'application/json' },
      })
      const { mails } = (await answer.json()) as { mails: { text: string }[] }
      return mails.map(mail => new RegExp(`/${page}/([\\w-]+)`).exec(mail.text)?.[1]).find(Boolean)
    }, `a link to ${page} for ${to}`)
  }

  const login = (email: string, password: string) =>
    call('POST', '/auth/login', { body: { email, password } })

  async function signIn(email: string, password = DEMO_PASSWORD): Promise<string> {
    return (await callOk('POST', '/auth/login', { body: { email, password } })).token
  }

  async function newPerson(): Promise<Person> {
    const registration = makeUser()
    await callOk('POST', '/auth/register', { body: registration })
    await callOk('GET', `/auth/verify-email/${await waitForMailedLink('verify-email', registration.email)}`)
    const { token, user } = await callOk('POST', '/auth/login', {
      body: { email: registration.email, password: registration.password },
    })
    return { ...registration, token, id: user.id }
  }

  /** Returns an account that staff create and confirm: without emails, because an IP address can request only a few. */
  async function accountBy(
    staffToken: string,
    overrides: Partial<Registration & { role: Role }> = {},
  ): Promise<Person> {
    const registration = makeUser(overrides)
    const { user } = await callOk('POST', '/admin/users', {
      token: staffToken,
      body: { ...registration, role: overrides.role ?? 'user' },
    })
    await callOk('PUT', `/admin/users/${user.id}/verify-email`, { token: staffToken })
    return { ...registration, id: user.id, token: await signIn(registration.email, registration.password) }
  }

  async function newCertificate(token: string): Promise<ReturnType<typeof makeCertificate> & { id: string }> {
    const body = makeCertificate()
    const { certificate } = await callOk('POST', '/admin/certificates', { token, body })
    return { ...body, id: certificate.id }
  }

  return {
    subject,
    call,
    callOk,
    login,
    signIn,
    mailedLink: waitForMailedLink,
    newPerson,
    accountBy,
    newCertificate,
    superAdmin: () => signIn(personas.superAdmin.email),
  }
}

const toFormRequest = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  body: new URLSearchParams(fields),
})

/**
 * Pays on the gateway's card page as a browser does: opens the page, enters the card, then the password.
 * @returns what the last page shows
 */
export async function payByCard(
  { payment_url, payment_data }: { payment_url: string; payment_data: Record<string, string> },
  number: string,
): Promise<string> {
  const entry = await fetch(payment_url, toFormRequest(payment_data))
  const page = new URL(entry.headers.get('location') ?? '', payment_url)
  await fetch(`${page}/card`, toFormRequest({ number, expiry: '12/39', cvv: '123' }))
  await fetch(`${page}/otp`, toFormRequest({ otp: '123456' }))
  return await (await fetch(page)).text()
}
