import type { Certificate } from '@portal/contract/shapes'
import type { CertificateFields } from '@portal/fixtures/certificates'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { type Account, type ApiResponse, eventually } from '../portal.ts'

/** How a payment can end at the gateway. */
export type GatewayOutcome = 'pay' | 'decline' | 'cancel'

/** The part of the response to a started payment that later steps need. */
export interface StartedVerification {
  transaction_id: string
  payment_reference: string
}

/** One of the two systems under comparison: the API itself, or the mocks. Only these steps differ between them. */
export interface ComparedSystem {
  readonly base: string
  handleRequest(request: Request): Promise<Response>
  waitForMailedToken(page: 'verify-email' | 'reset-password' | 'invitations', to: string): Promise<string>
  endPayment(started: StartedVerification, outcome: GatewayOutcome): Promise<void>
  /** Returns the code that an authenticator app with this secret shows, `periodsAhead` periods of 30 seconds from now. */
  getAuthenticatorCode(secret: string, periodsAhead: number): string
  /** Writes a name that a letter cannot print directly into the database, because the API would reject it. */
  storeUnprintableName(number: string): Promise<void>
  /** Creates a refund that waits for approval with a bank reference. @returns its ID */
  createDueRefund(fixture: Steps): Promise<string>
  /** Creates an open dispute, at a gateway with an API or added manually. @returns its ID */
  createDispute(fixture: Steps, kind: 'gateway' | 'manual'): Promise<string>
  /** Returns the ID of a demo transaction that was paid and has no dispute; its gateway has no API. */
  findDemoPayment(): Promise<string>
  /** Creates an item of the retention queue that cannot be processed. @returns its ID */
  blockRetentionItem(): Promise<string>
}

export interface RequestOptions {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

export interface PaidVerification extends StartedVerification {
  number: string
  /** The letter's code. */
  code: string
  certificateId: string
}

/** The steps of the fixture that a system's own steps can call. */
export interface Steps {
  callOk(method: string, path: string, options?: RequestOptions): Promise<ApiResponse['body']>
  /** Returns the shared account. */
  user(): Promise<Account>
  /** Returns the token of the demo's admin. */
  admin(): Promise<string>
  startPayment(account: Pick<Account, 'token'>): Promise<StartedVerification>
}

export type ParityFixture = ReturnType<typeof createFixture>

/**
 * Returns the steps that create the private data of a case, in the same way in both systems. Accounts that no case changes are
 * shared.
 */
export function createFixture(system: ComparedSystem) {
  const results = new Map<string, Promise<unknown>>()
  function memoise<T>(name: string, make: () => Promise<T>): Promise<T> {
    const cached = results.get(name) as Promise<T> | undefined
    const created = cached ?? make()
    results.set(name, created)
    return created
  }

  async function fetchApi(method: string, path: string, { token, body, headers = {} }: RequestOptions = {}) {
    const isRaw = typeof body === 'string' || body instanceof FormData
    const request = new Request(`${system.base}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    })
    return await system.handleRequest(request)
  }

  async function send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse> {
    return await readResponse(await fetchApi(method, path, options))
  }

  /** Sends a call that must succeed. @throws if it does not */
  async function callOk(method: string, path: string, options?: RequestOptions) {
    const { status, body } = await send(method, path, options)
    if (status >= 300) throw new Error(`${system.base} ${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async function signIn(email: string, password = DEMO_PASSWORD): Promise<{ token: string; id: string }> {
    const { token, user } = await callOk('POST', '/auth/login', { body: { email, password } })
    return { token, id: user.id }
  }

  const admin = () => memoise('admin', async () => (await signIn(personas.admin.email)).token)
  /** Returns the token of the demo's super admin. */
  const superAdmin = () => memoise('super admin', async () => (await signIn(personas.superAdmin.email)).token)

  /** Registers an account without confirming its address. */
  async function registerAccount() {
    const person = makeUser()
    await callOk('POST', '/auth/register', { body: person })
    return person
  }

  async function newAccount(): Promise<Account> {
    const person = await registerAccount()
    const token = await system.waitForMailedToken('verify-email', person.email)
    await callOk('GET', `/auth/verify-email/${token}`)
    return { ...person, ...(await signIn(person.email)) }
  }

  const user = () => memoise('user', newAccount)
  const otherUser = () => memoise('other', newAccount)

  /** Creates an account with a role, which the super admin verifies; it has not logged in. */
  async function createAccount(role: 'user' | 'admin' = 'user') {
    const token = await superAdmin()
    const person = makeUser()
    const body = await callOk('POST', '/admin/users', { token, body: { ...person, role } })
    await callOk('PUT', `/admin/users/${body.user.id}/verify-email`, { token })
    return { ...person, id: String(body.user.id) }
  }

  async function newAdmin(): Promise<Account> {
    const person = await createAccount('admin')
    return { ...person, ...(await signIn(person.email)) }
  }

  async function newCertificate(overrides: Partial<CertificateFields> = {}): Promise<Certificate> {
    const body = makeCertificate(overrides)
    return (await callOk('POST', '/admin/certificates', { token: await admin(), body })).certificate
  }

  /** Returns the number of a certificate whose letter cannot be printed. */
  async function newUnprintableNumber(): Promise<string> {
    const { certificate_number } = await newCertificate()
    await system.storeUnprintableName(certificate_number)
    return certificate_number
  }

  async function startPayment({
    token,
  }: Pick<Account, 'token'>): Promise<StartedVerification & { number: string }> {
    const { certificate_number: number } = await newCertificate()
    const body = { certificate_number: number }
    return { ...(await callOk('POST', '/verification/process-payment', { token, body })), number }
  }

  /** Ends a payment at the gateway, and returns its status once the portal knows the result. */
  async function endPayment(
    { token }: Pick<Account, 'token'>,
    start: StartedVerification,
    outcome: GatewayOutcome,
  ) {
    await system.endPayment(start, outcome)
    const path = `/verification/check-verification-status/${start.transaction_id}`
    return await eventually(async () => {
      const body = await callOk('GET', path, { token })
      return body.status === 'pending' ? undefined : body
    }, `the end of ${start.transaction_id}`)
  }

  async function payForVerification(newAccount: Pick<Account, 'token'>): Promise<PaidVerification> {
    const start = await startPayment(newAccount)
    const { letter, items } = await endPayment(newAccount, start, 'pay')
    return { ...start, code: letter.code, certificateId: items[0].certificate_id }
  }

  return {
    system,
    fetchApi,
    send,
    callOk,
    signIn,
    admin,
    superAdmin,
    user,
    otherUser,
    registerAccount,
    account: newAccount,
    createAccount,
    newAdmin,
    certificate: newCertificate,
    newUnprintableNumber,
    startPayment,
    endPayment,
    payForVerification,
    /** Returns a paid verification of `user()` that cases only read. */
    sharedVerification: () => memoise('shared verification', async () => payForVerification(await user())),
    waitForMailedToken: system.waitForMailedToken,
    getAuthenticatorCode: system.getAuthenticatorCode,
    blockRetentionItem: () => system.blockRetentionItem(),
    createDueRefund: () => system.createDueRefund({ callOk, user, admin, startPayment }),
    createDispute: (kind: 'gateway' | 'manual') =>
      system.createDispute({ callOk, user, admin, startPayment }, kind),
    findDemoPayment: () => system.findDemoPayment(),
  }
}

/** Returns the status, headers and body of a response; the body is parsed JSON, or text. */
async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  }
}
