import { routes } from '@portal/contract/routes'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { getResponse } from 'msw'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { completePayment } from './complete-payment.ts'
import { createHandlers } from './handlers.ts'
import { createMockServer } from './node.ts'
import { failingHandler } from './serve.ts'
import { browserStore, createState, type MockState, memoryStore } from './state.ts'

/*
 * Tests how the mocks keep their state. edge-api/src/http/parity.api.test.ts tests that they respond to every route as the API
 * does.
 */

const BASE = 'http://mocks.test/api'
const store = memoryStore()
const server = createMockServer(store)
let state: MockState

beforeAll(() => server.listen())
beforeEach(() => {
  state = createState()
  store.write(state)
})
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const json = z.record(z.string(), z.unknown())

async function send(
  method: string,
  path: string,
  { token = '', body }: { token?: string; body?: unknown } = {},
) {
  const response = await fetch(BASE + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const { status, headers } = response
  const text = await response.text()
  // A file is not JSON, so its text is returned in a field named `file`.
  return { status, headers, body: json.parse(text.startsWith('{') ? JSON.parse(text) : { file: text }) }
}

async function login(email: string, password = DEMO_PASSWORD): Promise<string> {
  const { status, body } = await send('POST', '/auth/login', { body: { email, password } })
  expect(status).toBe(200)
  return z.string().parse(body.token)
}

it('keeps the changes of all concurrent calls', async () => {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
  const shared = browserStore(storage, 'state', createState)
  const before = shared.read().users.length
  const register = () =>
    getResponse(
      createHandlers(shared),
      new Request(`${BASE}/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(makeUser()),
      }),
    )
  const responses = await Promise.all([register(), register(), register()])
  expect(responses.map(answer => answer?.status)).toEqual([201, 201, 201])
  expect(shared.read().users).toHaveLength(before + 3)
})

describe('accounts', () => {
  it('register, get a single-use link by email, and can log in only once the link has been used', async () => {
    const person = makeUser()
    expect((await send('POST', '/auth/register', { body: person })).status).toBe(201)
    const credentials = { email: person.email, password: person.password }
    const earlyLogin = await send('POST', '/auth/login', { body: credentials })
    expect(earlyLogin.body).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const link = state.mails[0]?.link ?? ''
    expect(state.mails[0]?.to).toBe(person.email)
    expect((await send('GET', `/auth${link}`)).body).toEqual({ message: 'Email verified successfully!' })
    expect((await send('GET', `/auth${link}`)).body).toMatchObject({ code: 'INVALID_VERIFICATION_TOKEN' })
    const token = await login(person.email, person.password)
    const profile = await send('GET', '/auth/profile', { token })
    expect(profile.body.user).toMatchObject({ email: person.email, role: 'user', is_verified: true })
  })

  it('get a token that the browser can decode, which is revoked at logout', async () => {
    const token = await login(personas.admin.email)
    const claims: unknown = JSON.parse(
      atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    )
    expect(claims).toMatchObject({ sub: personas.admin.id, role: 'admin' })
    await send('POST', '/auth/logout', { token })
    expect((await send('GET', '/auth/profile', { token })).status).toBe(401)
  })

  it('get the same response for known and unknown addresses, and cannot log in if disabled', async () => {
    const known = await send('POST', '/auth/register', { body: makeUser({ email: personas.user.email }) })
    const unknown = await send('POST', '/auth/register', { body: makeUser() })
    expect(known.body).toEqual(unknown.body)
    const body = { email: personas.disabled.email, password: DEMO_PASSWORD }
    expect((await send('POST', '/auth/login', { body })).body).toMatchObject({ code: 'ACCOUNT_DISABLED' })
    const wrongPassword = await send('POST', '/auth/login', { body: { ...body, password: 'Wrong1234' } })
    expect(wrongPassword.body).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })
})

describe('a verification', () => {
  const number = 'UG/2019/00123'

  async function deleteCertificate(certificate_number: string) {
    const id = state.certificates.find(item => item.certificate_number === certificate_number)?.id
    const admin = await login(personas.admin.email)
    const { body } = await send('DELETE', `/admin/certificates/${id}`, { token: admin })
    expect(body.message).toContain('Certificate withdrawn.')
  }

  it.each([
    ['pay', { status: 'paid', verification_status: 'success' }],
    ['decline', { status: 'failed', code: 'CARD_DECLINED' }],
    ['cancel', { status: 'failed', code: 'PAYMENT_CANCELLED' }],
  ] as const)('has the expected status after %s at the gateway', async (outcome, expected) => {
    const token = await login(personas.user.email)
    const body = { certificate_number: number }
    const check = await send('POST', '/verification/check-certificate', { token, body })
    expect(check.body).toEqual({ status: 'payment_required', certificate: { certificate_number: number } })
    const started = await send('POST', '/verification/process-payment', { token, body })
    const secondReply = await send('POST', '/verification/process-payment', { token, body })
    expect(secondReply.body).toEqual(started.body)
    const id = z.string().parse(started.body.transaction_id)
    const path = `/verification/check-verification-status/${id.toLowerCase()}`
    expect((await send('GET', path, { token })).body).toMatchObject({ status: 'pending', certificate: null })

    expect(completePayment(state, id, outcome)).toBe(true)
    const status = await send('GET', path, { token })
    expect(status.body).toMatchObject(expected)
    const secondCheck = await send('POST', '/verification/check-certificate', { token, body })
    expect(secondCheck.body.status).toBe(outcome === 'pay' ? 'already_paid' : 'payment_required')
    if (outcome !== 'pay') return
    expect(status.body.verification_template).toMatchObject({
      recipient: { company: 'Harmattan Foods Limited' },
    })
    const { code } = z.object({ code: z.string() }).parse(status.body.letter)
    expect((await send('GET', `/letters/${code}`)).body).toMatchObject({ status: 'valid' })
    await deleteCertificate(number)
    expect((await send('GET', `/letters/${code}`)).body).toMatchObject({ status: 'withdrawn' })
    expect(completePayment(state, id, 'cancel')).toBe(true)
    expect((await send('GET', path, { token })).body).toMatchObject({ status: 'paid' })
  })

  it('is hidden from other users, but not from staff', async () => {
    const payment = state.payments.find(payment => payment.user_id === personas.user.id)
    const path = `/verification/check-verification-status/${payment?.transaction_id}`
    const replyToOtherUser = await send('GET', path, { token: await login(personas.otherUser.email) })
    expect(replyToOtherUser.body).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
    expect((await send('GET', path, { token: await login(personas.admin.email) })).status).toBe(200)
  })

  it('expires if its payment is never completed', async () => {
    const pendingPayment = state.payments.find(payment => payment.status === 'pending')
    if (!pendingPayment) throw new Error('The demo data has no pending payment.')
    pendingPayment.expires_at = new Date(Date.now() - 1000).toISOString()
    const { body } = await send('GET', `/verification/public/payment-status/${pendingPayment.transaction_id}`)
    expect(body).toMatchObject({ status: 'failed', code: 'PAYMENT_TIMEOUT' })
  })

  it('of an unknown number ends as not found before payment', async () => {
    const token = await login(personas.user.email)
    const body = { certificate_number: 'UG/1999/99999' }
    const check = await send('POST', '/verification/check-certificate', { token, body })
    expect(check.body).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' })
    const started = await send('POST', '/verification/process-payment', { token, body })
    expect(started.body).toMatchObject({ status: 'not_found', payment_reference: null })
  })
})

describe('letters', () => {
  it('are found by the old and the new code after a correction: the old one is superseded, the new one valid', async () => {
    const token = await login(personas.user.email)
    const payment = state.payments.find(
      payment => payment.user_id === personas.user.id && payment.letter_code,
    )
    const record = state.certificates.find(item => item.certificate_number === payment?.certificate_number)
    if (!payment?.certificate || !record) throw new Error('The demo data has no letter of this user.')
    const [formerCode, grade] = [payment.letter_code, payment.certificate.grade]
    record.grade = 'Aegrotat'
    const path = `/verification/letters/${formerCode}/reissue`
    const { body } = await send('POST', path, { token })
    const { code } = z.object({ code: z.string() }).parse(body.letter)
    expect((await send('GET', `/letters/${code}`)).body).toMatchObject({
      status: 'valid',
      certificate_details: { class: 'Aegrotat' },
    })
    for (const checks of [1, 2]) {
      expect((await send('GET', `/letters/${formerCode}`)).body).toMatchObject({
        status: 'superseded',
        code: formerCode,
        certificate_details: { class: grade },
        checks,
      })
    }
    expect((await send('GET', `/letters/${formerCode}.pdf`)).status).toBe(200)
    // Hono's server for Node replaces the global class when it starts; simulate that.
    vi.stubGlobal('Response', class extends Response {})
    const file = await getResponse(createHandlers(store), new Request(`${BASE}/letters/${formerCode}.pdf`))
    expect(file?.headers.get('content-type')).toBe('application/pdf')
    expect((await send('POST', path, { token })).body).toMatchObject({ letter: { code, status: 'valid' } })
  })
})

describe('notifications', () => {
  it('include payments, are counted, and can be marked as read only by the user who received them', async () => {
    const token = await login(personas.user.email)
    const before = await send('GET', '/notifications', { token })
    const body = { certificate_number: 'UG/2019/00123' }
    const started = await send('POST', '/verification/process-payment', { token, body })
    completePayment(state, z.string().parse(started.body.transaction_id), 'pay')
    const after = await send('GET', '/notifications?per_page=1', { token })
    expect(after.body).toMatchObject({
      unread_count: Number(before.body.unread_count) + 1,
      notifications: [{ title: 'Certificate verified', link: '/dashboard/history', read_at: null }],
    })
    const path = `/notifications/${state.notifications[0]?.id}/read`
    const replyToOtherUser = await send('POST', path, { token: await login(personas.otherUser.email) })
    expect(replyToOtherUser).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await send('POST', path, { token })).body).toEqual({ unread_count: before.body.unread_count })
    const all = await send('POST', '/notifications/read-all', { token })
    expect(all.body).toEqual({ unread_count: 0 })
  })
})

describe('staff', () => {
  it('can add, find, edit and delete a certificate', async () => {
    const token = await login(personas.admin.email)
    const body = makeCertificate()
    const search = `/admin/certificates?search=${encodeURIComponent(body.certificate_number)}`
    const created = await send('POST', '/admin/certificates', { token, body })
    expect(created.status).toBe(201)
    const { id } = z.object({ id: z.string() }).parse(created.body.certificate)
    const duplicate = await send('POST', '/admin/certificates', { token, body })
    expect(duplicate.body).toMatchObject({ code: 'CERTIFICATE_EXISTS' })
    const corrected = { ...body, grade: 'Pass' }
    await send('PUT', `/admin/certificates/${id}`, { token, body: corrected })
    expect((await send('GET', search, { token })).body.certificates).toMatchObject([corrected])
    expect((await send('DELETE', `/admin/certificates/${id}`, { token })).status).toBe(200)
    expect((await send('GET', search, { token })).body.certificates).toEqual([])
    const deletedAgain = await send('DELETE', `/admin/certificates/${id}`, { token })
    expect(deletedAgain.body).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' })
  })

  it('get the contract’s message for each invalid field', async () => {
    const token = await login(personas.admin.email)
    const { status, body } = await send('POST', '/admin/certificates', { token, body: { grade: ' ' } })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { certificate_number: 'Please enter a certificate number.', grade: 'Grade is required' },
    })
  })

  it('can change the fee, which applies to new payments but not to those already started', async () => {
    const [token, user] = [await login(personas.admin.email), await login(personas.user.email)]
    const start = (certificate_number: string) =>
      send('POST', '/verification/process-payment', { token: user, body: { certificate_number } })
    const before = await start('UG/2019/00123')
    await send('PUT', '/admin/settings/verification-fee', { token, body: { fee: 6250.5 } })
    expect((await send('GET', '/verification/settings')).body).toMatchObject({ verification_fee: 6250.5 })
    expect((await start('UG/2019/00123')).body).toEqual(before.body)
    const paid = new Set(state.payments.map(payment => payment.certificate_number))
    const unpaidCertificate = state.certificates.find(
      item => !paid.has(item.certificate_number) && item.id !== 'certificate-1',
    )
    expect((await start(unpaidCertificate?.certificate_number ?? '')).body).toMatchObject({
      amount_paid: 6250.5,
    })
  })
})

describe('errors', () => {
  it('come from the catalogue and have a request ID', async () => {
    const { status, headers, body } = await send('GET', '/no/such/route')
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        error: 'This address or record does not exist.',
        code: 'NOT_FOUND',
        request_id: headers.get('x-request-id'),
      },
    })
  })

  it('can be forced for one route', async () => {
    server.use(failingHandler(routes.verification.settings, 'DATABASE_UNAVAILABLE'))
    expect((await send('GET', '/verification/settings')).status).toBe(503)
    server.resetHandlers()
    expect((await send('GET', '/verification/settings')).status).toBe(200)
  })
})
