import { randomInt } from 'node:crypto'
import type { Certificate } from '@portal/contract/shapes'
import { makeCertificate } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type ApiResponse, newAccount, request, sharedPortal } from '../../../edge-api/test/portal.ts'
import {
  type PortalAddress,
  type RunningPortal,
  startPortal,
} from '../../../edge-api/test/servers/portal-server.ts'

/** The portal that the browser tests share. */
export const portal = sharedPortal

/** The data that the portal stores in the browser after a login. */
export interface SignedInUser {
  token: string
  user: { id: string; firstname: string; lastname: string; email: string; role: string }
}

/** Logs in without a browser. @throws if the portal refuses */
export async function logIn(email: string, password: string, targetPortal = portal()): Promise<SignedInUser> {
  const { status, body } = await request('POST', '/auth/login', {
    body: { email, password },
    portal: targetPortal,
  })
  if (status !== 200) throw new Error(`login of ${email}: ${status} ${JSON.stringify(body)}`)
  return { token: body.token, user: body.user }
}

/** Creates an account that is registered, confirmed and logged in. */
export async function newUser(
  targetPortal = portal(),
): Promise<SignedInUser & { email: string; password: string }> {
  const { id, token, firstname, lastname, email, password } = await newAccount({}, targetPortal)
  return { email, password, token, user: { id, firstname, lastname, email, role: 'user' } }
}

const admins = new Map<string, Promise<SignedInUser>>()

/** Returns a session of the demo's admin. All tests of a file share it, so no test may end it. */
export function admin(targetPortal = portal()): Promise<SignedInUser> {
  const session = admins.get(targetPortal.url) ?? logIn(personas.admin.email, DEMO_PASSWORD, targetPortal)
  admins.set(targetPortal.url, session)
  return session
}

/** Creates a certificate for one test, with a number such as `UG/2019/48213907`. */
export async function createCertificate(targetPortal = portal()): Promise<Certificate> {
  const { status, body } = await request('POST', '/admin/certificates', {
    token: (await admin(targetPortal)).token,
    body: makeCertificate({ certificate_number: `UG/2019/${randomInt(10_000_000, 99_999_999)}` }),
    portal: targetPortal,
  })
  if (status !== 201) throw new Error(`certificate: ${status} ${JSON.stringify(body)}`)
  return body.certificate
}

/** Returns the browser storage of this session. */
export function storedSession(
  { token, user }: SignedInUser,
  targetPortal: PortalAddress,
): NonNullable<BrowserContextOptions['storageState']> {
  const localStorage = [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ]
  return { cookies: [], origins: [{ origin: targetPortal.url, localStorage }] }
}

/** Gives the tests of this block a separate portal with these variables. Read `current` only inside tests. */
export function ownPortal(environment: Record<string, string> = {}): { readonly current: RunningPortal } {
  let runningPortal: RunningPortal | undefined
  beforeAll(async () => {
    runningPortal = await startPortal(environment)
  })
  afterAll(() => runningPortal?.stop())
  return {
    get current() {
      if (!runningPortal) throw new Error('the portal is not running yet')
      return runningPortal
    },
  }
}

/** Returns a payment's status from the API, as its own account sees it. */
export const fetchStatus = (
  id: string,
  { token }: SignedInUser,
  targetPortal = portal(),
): Promise<ApiResponse> =>
  request('GET', `/verification/check-verification-status/${id.replaceAll('-', '')}`, {
    token,
    portal: targetPortal,
  })
