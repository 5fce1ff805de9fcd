import type { Certificate } from '@portal/contract/shapes'
import type { CertificateFields } from '@portal/fixtures/certificates'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { type Account, type ApiResponse, eventually } from '../portal.ts'

/** The ways in which a payment can end at the gateway. */
export type GatewayOutcome = 'pay' | 'decline' | 'cancel'

/** The part of the response to a start that later steps need. */
export interface StartedVerification {
  transaction_id: string
  payment_reference: string
}

/** One of the two systems under comparison: the API itself, or the mocks. Only these steps differ between them. */
export interface ComparedSystem {
  readonly base: string
  answer(request: Request): Promise<Response>
  waitForMailedToken(page: 'verify-email' | 'reset-password' | 'invitations', to: string): Promise<string>
  endPayment(started: StartedVerification, outcome: GatewayOutcome): Promise<void>
  /** Returns the code of an authenticator app with this secret, a number of periods from now. */
  appCode(secret: string, ahead: number): string
  /** Writes a name that cannot be printed on a letter straight into the database, because the API would reject it. */
  storeUnprintable(number: string): Promise<void>
  /** Creates a refund that waits for approval with a bank reference. @returns its ID */
  createDueRefund(world: Steps): Promise<string>
  /** Creates an open dispute, at a gateway with an API or added manually. @returns its ID */
  dispute(world: Steps, kind: 'gateway' | 'manual'): Promise<string>
  /** Returns the ID of a demo transaction that was paid and has no dispute; its gateway has no API. */
  demoPayment(): Promise<string>
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

/** The shared steps that a place's own steps may call. */
export interface Steps {
  callOk(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse['body']>
  user(): Promise<Account>
  admin(): Promise<string>
  started(account: Pick<Account, 'token'>): Promise<StartedVerification>
}

export type World = ReturnType<typeof openWorld>

/**
 * Returns the steps that create the private data of a case, in the same way in both places. Accounts that no case changes are
 * shared.
 */
export function openWorld(place: ComparedSystem) {
  const results = new Map<string, Promise<unknown>>()
  function memoise<T>(name: string, make: () => Promise<T>): Promise<T> {
    const cached = results.get(name) as Promise<T> | undefined
    const created = cached ?? make()
    results.set(name, created)
    return created
  }

  async function fetchApi(method: string, path: string, { token, body, headers = {} }: RequestOptions = {}) {
    const raw = typeof body === 'string' || body instanceof FormData
    const request = new Request(`${place.base}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    })
    return await place.answer(request)
  }

  async function send(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse> {
    return await readAnswer(await fetchApi(method, path, sent))
  }

  /** Sends a call that must succeed. @throws if it does not */
  async function callOk(method: string, path: string, sent?: RequestOptions) {
    const { status, body } = await send(method, path, sent)
    if (status >= 300) throw new Error(`${place.base} ${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async function signIn(email: string, password = DEMO_PASSWORD): Promise<{ token: string; id: string }> {
    const { token, user } = await callOk('POST', '/auth/login', { body: { email, password } })
    return { token, id: user.id }
  }

  const admin = () => memoise('admin', async () => (await signIn(personas.admin.email)).token)
  const superAdmin = () => memoise('super admin', async () => (await signIn(personas.superAdmin.email)).token)

  /** Registers an account without confirming its address. */
  async function registerAccount() {
    const person = makeUser()
    await callOk('POST', '/auth/register', { body: person })
    return person
  }

  async function account(): Promise<Account> {
    const person = await registerAccount()
    const token = await place.waitForMailedToken('verify-email', person.email)
    await callOk('GET', `/auth/verify-email/${token}`)
    return { ...person, ...(await signIn(person.email)) }
  }

  const user = () => memoise('user', account)
  const other = () => memoise('other', account)

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

  async function certificate(overrides: Partial<CertificateFields> = {}): Promise<Certificate> {
    const body = makeCertificate(overrides)
    return (await callOk('POST', '/admin/certificates', { token: await admin(), body })).certificate
  }

  /** Returns the number of a certificate whose letter cannot be printed. */
  async function unprintable(): Promise<string> {
    const { certificate_number } = await certificate()
    await place.storeUnprintable(certificate_number)
    return certificate_number
  }

  async function startPayment({
    token,
  }: Pick<Account, 'token'>): Promise<StartedVerification & { number: string }> {
    const { certificate_number: number } = await certificate()
    const body = { certificate_number: number }
    return { ...(await callOk('POST', '/verification/process-payment', { token, body })), number }
  }

  /** Ends a payment, and returns its status once the gateway's result has arrived. */
  async function endPayment(
    { token }: Pick<Account, 'token'>,
    start: StartedVerification,
    outcome: GatewayOutcome,
  ) {
    await place.endPayment(start, outcome)
    const path = `/verification/check-verification-status/${start.transaction_id}`
    return await eventually(async () => {
      const body = await callOk('GET', path, { token })
      return body.status === 'pending' ? undefined : body
    }, `the end of ${start.transaction_id}`)
  }

  async function payForVerification(account: Pick<Account, 'token'>): Promise<PaidVerification> {
    const start = await startPayment(account)
    const { letter, items } = await endPayment(account, start, 'pay')
    return { ...start, code: letter.code, certificateId: items[0].certificate_id }
  }

  return {
    place,
    fetchApi,
    send,
    callOk,
    signIn,
    admin,
    superAdmin,
    user,
    other,
    registerAccount,
    account,
    createAccount,
    newAdmin,
    certificate,
    unprintable,
    startPayment,
    endPayment,
    payForVerification,
    /** Returns a paid verification of `user()` that cases only read. */
    sharedVerification: () => memoise('held', async () => payForVerification(await user())),
    mailedToken: place.waitForMailedToken,
    appCode: place.appCode,
    blockRetentionItem: () => place.blockRetentionItem(),
    createDueRefund: () => place.createDueRefund({ callOk, user, admin, started: startPayment }),
    dispute: (kind: 'gateway' | 'manual') =>
      place.dispute({ callOk, user, admin, started: startPayment }, kind),
    demoPayment: () => place.demoPayment(),
  }
}

/** Returns the status, headers and body of a response; the body is parsed JSON, or text. */
async function readAnswer(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  }
}
