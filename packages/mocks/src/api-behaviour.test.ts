import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { expect, it } from 'vitest'
import { mockApp } from './http-server.ts'

/*
 * Edge cases in which the mocks must be neither more lenient nor stricter than the API: invalid input, repeated requests, free
 * verifications, and payments without a result. Each case was tried against the mocks and the API.
 */

interface RequestOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

const ORIGIN = 'http://localhost:4310'
const noFile = async () => undefined

function createApp() {
  const app = mockApp(ORIGIN, noFile)
  async function send(method: string, path: string, { token, body, headers = {} }: RequestOptions = {}) {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
    const response = await app(
      new Request(`${ORIGIN}${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(!isRaw && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
      }),
    )
    // biome-ignore lint/suspicious/noExplicitAny: each test reads the fields it names.
    return { status: response.status, body: (await response.json()) as any, headers: response.headers }
  }
  const call = (method: string, path: string, sent?: RequestOptions) => send(method, `/api${path}`, sent)
  const signIn = async ({ email }: { email: string }) =>
    (await call('POST', '/auth/login', { body: { email, password: DEMO_PASSWORD } })).body.token as string
  const endPayment = (transaction_id: string, outcome: string) =>
    send('POST', '/mock/settle', { body: { transaction_id, outcome } })
  return { call, signIn, endPayment }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const LOGIN_PATH = '/auth/login'

it.each([
  ['no body at all', undefined, {}, 'VALIDATION_ERROR'],
  [
    'bytes that are not UTF-8',
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    JSON_TYPE,
    'VALIDATION_ERROR',
  ],
  ['more than 256 KiB', JSON.stringify({ email: 'x'.repeat(300_000) }), JSON_TYPE, 'PAYLOAD_TOO_LARGE'],
  [
    'a content type that only starts like JSON',
    '{}',
    { 'content-type': 'application/json-patch' },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
])('rejects %s', async (_, body, headers, code) => {
  expect((await createApp().call('POST', LOGIN_PATH, { body, headers })).body.code).toBe(code)
})

it('parses URLs and headers as the API does', async () => {
  const { call, signIn } = createApp()
  const token = await signIn(personas.admin)
  expect((await call('GET', '/admin/users?page=1&page=2', { token })).body.fields).toEqual({
    page: 'Please give a number.',
  })
  expect((await call('GET', '/admin/users?page=1%00', { token })).body.pagination.page).toBe(1)
  expect((await call('GET', '/health/')).body.code).toBe('NOT_FOUND')
  expect((await call('POST', '/health/')).body.code).toBe('NOT_FOUND')
  const profile = await call('GET', '/auth/profile', { headers: { authorization: `bearer ${token}` } })
  expect(profile.status).toBe(200)
})

it('ignores case, diacritics and extra spaces in searches', async () => {
  const { call, signIn } = createApp()
  const token = await signIn(personas.admin)
  const users = await call('GET', '/admin/users?search=YETUNDE%20%20odebiyii', { token })
  expect(users.body.users).toMatchObject([{ email: personas.hospital.email }])
  const body = makeCertificate({ student_name: 'Adébáyọ̀ Ọláṣẹ́ńí' })
  await call('POST', '/admin/certificates', { token, body })
  const found = await call('GET', '/admin/certificates?search=adebayo%20OLASENI', { token })
  const numbers = found.body.certificates.map((certificate: typeof body) => certificate.certificate_number)
  expect(numbers).toContain(body.certificate_number)
})

it('finds a verification by the transaction ID as screens show it', async () => {
  const { call, signIn } = createApp()
  const token = await signIn(personas.admin)
  const { body } = await call('GET', '/admin/authentications?per_page=1', { token })
  const id: string = body.authentications[0].bpms_transaction_id
  const displayedId = id.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')
  const found = await call('GET', `/admin/authentications?search=${displayedId}`, { token })
  expect(found.body.authentications[0].bpms_transaction_id).toBe(id)
})

it('returns the same payment for an Idempotency-Key, and refuses the key for another request', async () => {
  const { call, signIn, endPayment } = createApp()
  const [user, admin] = [await signIn(personas.otherUser), await signIn(personas.admin)]
  const addCertificate = async () => {
    const body = makeCertificate()
    await call('POST', '/admin/certificates', { token: admin, body })
    return body.certificate_number
  }
  const [firstNumber, secondNumber] = [await addCertificate(), await addCertificate()]
  const pay = (certificate_number: string, key: string) =>
    call('POST', '/verification/process-payment', {
      token: user,
      body: { certificate_number },
      headers: { 'idempotency-key': key },
    })
  const first = await pay(firstNumber, 'first')
  expect((await pay(secondNumber, 'first')).body.code).toBe('IDEMPOTENCY_MISMATCH')
  expect((await pay(firstNumber, '')).body.fields).toHaveProperty('Idempotency-Key')
  await endPayment(first.body.transaction_id, 'decline')
  expect(first.headers.has('idempotent-replayed')).toBe(false)
  const secondReply = await pay(firstNumber, 'first')
  expect(secondReply.body).toEqual(first.body)
  expect(secondReply.headers.get('idempotent-replayed')).toBe('true')
  expect((await pay(firstNumber, 'second')).body.transaction_id).not.toBe(first.body.transaction_id)

  const bulk = (certificate_numbers: string[]) =>
    call('POST', '/verification/process-bulk-payment', {
      token: user,
      body: { certificate_numbers },
      headers: { 'idempotency-key': 'bulk' },
    })
  const firstBulk = await bulk([secondNumber])
  expect((await bulk([firstNumber, secondNumber])).status).toBe(409)
  await endPayment(firstBulk.body.transaction_id, 'cancel')
  expect((await bulk([secondNumber])).body.transaction_id).toBe(firstBulk.body.transaction_id)
})

it('verifies free certificates immediately', async () => {
  const { call, signIn } = createApp()
  const [user, admin] = [await signIn(personas.otherUser), await signIn(personas.admin)]
  const certificates = [makeCertificate(), makeCertificate()] as const
  for (const body of certificates) await call('POST', '/admin/certificates', { token: admin, body })
  await call('PUT', '/admin/settings/verification-fee', { token: admin, body: { fee: 0 } })

  const [{ certificate_number }, otherCertificate] = certificates
  const paid = await call('POST', '/verification/process-payment', {
    token: user,
    body: { certificate_number },
  })
  expect(paid.body).toMatchObject({ status: 'already_paid', certificate: { certificate_number } })
  const path = `/verification/check-verification-status/${paid.body.transaction_id}`
  expect((await call('GET', path, { token: user })).body).toMatchObject({
    status: 'paid',
    amount_paid: 0,
    bpms_status: 'PAID',
    letter: { status: 'valid' },
  })
  const logs = await call('GET', `/verification/transactions/${paid.body.transaction_id}/logs`, {
    token: user,
  })
  expect(logs.body.logs).toMatchObject([{ type: 'paid', source: 'user', code: null }, { type: 'created' }])

  const body = { certificate_numbers: [otherCertificate.certificate_number, 'UG/2018/999999'] }
  const bulk = await call('POST', '/verification/process-bulk-payment', { token: user, body })
  expect(bulk.body).toMatchObject({ status: 'already_paid', summary: { already_paid: 1, not_found: 1 } })
  expect(bulk.body.transaction_id).toMatch(/^CVF/)
})

it('owes a refund for a certificate deleted before payment until a super admin records the refund', async () => {
  const { call, signIn, endPayment } = createApp()
  const [user, superAdminToken] = [await signIn(personas.otherUser), await signIn(personas.superAdmin)]
  const body = makeCertificate()
  const { certificate } = (await call('POST', '/admin/certificates', { token: superAdminToken, body })).body
  const { certificate_number } = body
  const start = await call('POST', '/verification/process-payment', {
    token: user,
    body: { certificate_number },
  })
  const id: string = start.body.transaction_id
  const readAmountSpent = async () =>
    (await call('GET', '/verification/statistics', { token: user })).body.statistics.total_amount_spent
  const before = await readAmountSpent()
  await call('DELETE', `/admin/certificates/${certificate.id}`, { token: superAdminToken })
  await endPayment(id, 'pay')

  const trackPayment = () => call('GET', `/verification/public/payment-status/${id}`)
  expect((await trackPayment()).body).toMatchObject({
    status: 'paid',
    verification_status: 'not_found',
    resolution: 'refund_due',
    refund_due: start.body.amount_paid,
    message: 'Payment completed but certificate not found in database. Your payment will be refunded.',
  })
  expect(await readAmountSpent()).toBe(before)
  const response = await call('GET', '/notifications?per_page=1', { token: user })
  expect(response.body.notifications[0].kind).toBe('refund_due')

  const refund = (await call('GET', `/admin/refunds?search=${id}`, { token: superAdminToken })).body
    .refunds[0]
  expect(refund).toMatchObject({
    reason: 'certificate_vanished',
    status: 'due',
    amount: start.body.amount_paid,
  })
  const approval = { token: superAdminToken, body: { bank_reference: 'FT-2026-1' } }
  await call('POST', `/admin/refunds/${refund.id}/approve`, approval)
  expect((await trackPayment()).body).toMatchObject({
    resolution: 'refunded',
    refund_due: 0,
    refunded: start.body.amount_paid,
  })
})

it('reports the gateway’s own code for a payment', async () => {
  const { call, signIn, endPayment } = createApp()
  const user = await signIn(personas.user)
  const body = { certificate_number: 'UG/2019/00123' }
  const outcomes = [
    ['decline', 'failed', '05'],
    ['cancel', 'cancelled', 'Z6'],
  ] as const
  for (const [outcome, type, code] of outcomes) {
    const start = await call('POST', '/verification/process-payment', { token: user, body })
    const id: string = start.body.transaction_id
    await endPayment(id, outcome)
    const logs = await call('GET', `/verification/transactions/${id}/logs`, { token: user })
    expect(logs.body.logs[0]).toMatchObject({ type, to_status: type, code })
  }
})

it('includes the resolution in public tracking if only the payment status is public', async () => {
  const { call, signIn } = createApp()
  const superAdminToken = await signIn(personas.superAdmin)
  const { body } = await call('GET', '/admin/authentications?status=success&per_page=1', {
    token: superAdminToken,
  })
  const savePolicies = (changes: object) =>
    call('PUT', '/admin/settings/policies', { token: superAdminToken, body: changes })
  const { updated_at } = (await savePolicies({})).body
  expect((await savePolicies({ public_tracking: 'full' })).body.updated_at).toBe(updated_at)
  await savePolicies({ public_tracking: 'status' })
  const path = `/verification/public/payment-status/${body.authentications[0].bpms_transaction_id}`
  expect((await call('GET', path)).body).toMatchObject({ resolution: 'verified', certificate: null })
})

it('issues letters with the current texts and leaves earlier letters unchanged', async () => {
  const { call, signIn, endPayment } = createApp()
  const [user, superAdminToken] = [await signIn(personas.otherUser), await signIn(personas.superAdmin)]
  const before = (await call('GET', '/admin/settings/letter', { token: superAdminToken })).body
  async function issueLetter() {
    const certificate = makeCertificate()
    await call('POST', '/admin/certificates', { token: superAdminToken, body: certificate })
    const { certificate_number } = certificate
    const start = await call('POST', '/verification/process-payment', {
      token: user,
      body: { certificate_number },
    })
    await endPayment(start.body.transaction_id, 'pay')
    const path = `/verification/check-verification-status/${start.body.transaction_id}`
    return async () => (await call('GET', path, { token: user })).body.verification_template.signature.name
  }
  const readFormerSigner = await issueLetter()
  const changed = await call('PUT', '/admin/settings/letter', {
    token: superAdminToken,
    body: { ...before, name: 'Prof. Adaobi Nwosu' },
  })
  expect(changed.status).toBe(200)
  const readLaterSigner = await issueLetter()
  expect([await readFormerSigner(), await readLaterSigner()]).toEqual([before.name, 'Prof. Adaobi Nwosu'])
})

it('exports all letters of an account, including superseded ones', async () => {
  const { call, signIn, endPayment } = createApp()
  const [user, superAdminToken] = [await signIn(personas.hospital), await signIn(personas.superAdmin)]
  const body = makeCertificate()
  const { certificate } = (await call('POST', '/admin/certificates', { token: superAdminToken, body })).body
  const { certificate_number } = body
  const start = await call('POST', '/verification/process-payment', {
    token: user,
    body: { certificate_number },
  })
  await endPayment(start.body.transaction_id, 'pay')
  const path = `/verification/check-verification-status/${start.body.transaction_id}`
  const { code } = (await call('GET', path, { token: user })).body.letter
  await call('PUT', `/admin/certificates/${certificate.id}`, {
    token: superAdminToken,
    body: { ...body, grade: 'Aegrotat' },
  })
  const corrected = await call('POST', `/verification/letters/${code}/reissue`, { token: user })
  const { letters } = (await call('GET', '/account/data', { token: user })).body
  expect(letters.slice(0, 2)).toMatchObject([
    { code: corrected.body.letter.code, status: 'valid' },
    { code, status: 'superseded' },
  ])
})

it('sends a list as a CSV file only if the request prefers CSV, and always sends the request ID', async () => {
  const app = mockApp(ORIGIN, noFile)
  const send = (path: string, init: RequestInit = {}) => app(new Request(`${ORIGIN}/api${path}`, init))
  const { email } = personas.admin
  const body = JSON.stringify({ email, password: DEMO_PASSWORD })
  const { token } = await (await send(LOGIN_PATH, { method: 'POST', body, headers: JSON_TYPE })).json()
  const requestContentType = async (accept: string, id = crypto.randomUUID()) => {
    const headers = { authorization: `Bearer ${token}`, accept, 'x-request-id': id }
    const response = await send('/admin/authentications', { headers })
    expect(response.headers.get('x-request-id'), accept).toBe(id)
    return response.headers.get('content-type')?.split(';')[0]
  }
  expect(await requestContentType('TEXT/CSV')).toBe('text/csv')
  expect(await requestContentType('text/csv;q=0')).toBe('application/json')
  expect(await requestContentType('application/json, text/csv;q=0.5')).toBe('application/json')
})

it('replaces an invalid request ID with a new one', async () => {
  const response = await mockApp(
    ORIGIN,
    noFile,
  )(new Request(`${ORIGIN}/api/health`, { headers: { 'x-request-id': '<b>' } }))
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
})

it('answers HEAD with headers only', async () => {
  const response = await mockApp(ORIGIN, noFile)(new Request(`${ORIGIN}/api/health`, { method: 'HEAD' }))
  expect([response.status, await response.text()]).toEqual([200, ''])
})

it('rejects text with a NUL character and names the field', async () => {
  const { call, signIn } = createApp()
  const token = await signIn(personas.user)
  const { email: _, password: __, ...profile } = makeUser({ firstname: 'Ade\0bayo' })
  const { status, body } = await call('PUT', '/auth/profile', { token, body: profile })
  expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['firstname']])
})

it('answers HEAD without changing anything, such as using up an emailed link', async () => {
  const app = mockApp(ORIGIN, noFile)
  const post = (path: string, body: unknown) =>
    app(
      new Request(`${ORIGIN}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  await post('/auth/register', makeUser())
  const { mails } = await (await app(new Request(`${ORIGIN}/mock/mails`))).json()
  const token = /verify-email\/([\w-]+)/.exec(JSON.stringify(mails[0]))?.[1]
  const statusOf = async (method: string) =>
    (await app(new Request(`${ORIGIN}/api/auth/verify-email/${token}`, { method }))).status
  expect([await statusOf('HEAD'), await statusOf('GET'), await statusOf('HEAD')]).toEqual([200, 200, 400])
})

it("reports a missing file if the form's file field is empty", async () => {
  const { call, signIn } = createApp()
  const token = await signIn(personas.admin)
  const part = 'Content-Disposition: form-data; name="file"; filename=""'
  const { body } = await call('POST', '/admin/certificates/upload', {
    token,
    body: `--x\r\n${part}\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  expect(body.fields).toEqual({ file: 'Please select a file first' })
})

it('offers to try a payment again until its number is verified', async () => {
  const { call, signIn, endPayment } = createApp()
  const token = await signIn(personas.user)
  const admin = await signIn(personas.admin)
  const body = makeCertificate()
  await call('POST', '/admin/certificates', { token: admin, body })
  const { certificate_number } = body
  const pay = async (outcome: string) => {
    const started = await call('POST', '/verification/process-payment', {
      token,
      body: { certificate_number },
    })
    await endPayment(started.body.transaction_id, outcome)
  }
  const readOffers = async () => {
    const path = `/verification/history?search=${encodeURIComponent(certificate_number)}`
    const { history } = (await call('GET', path, { token })).body
    return history.map((row: { can_try_again: boolean }) => row.can_try_again)
  }
  await pay('decline')
  expect(await readOffers()).toEqual([true])
  await pay('pay')
  expect(await readOffers()).toEqual([false, false])
})
