import { defaultLetterTexts } from '@portal/contract/letter-texts'
import type { Access, Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { passwordChangedNotice } from '@portal/format/notices'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMockServer } from './node.ts'
import { notify } from './notifications-told.ts'
import { failing } from './serve.ts'
import { settle } from './settle.ts'
import { createState, type MockState, memoryStore } from './state.ts'

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
  // A file is no JSON: it stands under `file`.
  return { status, headers, body: json.parse(text.startsWith('{') ? JSON.parse(text) : { file: text }) }
}

async function login(email: string, password = DEMO_PASSWORD): Promise<string> {
  const { status, body } = await send('POST', '/auth/login', { body: { email, password } })
  expect(status).toBe(200)
  return z.string().parse(body.token)
}

function csvForm(row: string): FormData {
  const form = new FormData()
  const header = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
  form.append('file', new File([`${header}\n${row}\n`], 'register.csv'))
  return form
}

function letterForm(text: string): FormData {
  const form = new FormData()
  form.append('file', new File([text], 'letter.pdf'))
  return form
}

/** The smallest picture: one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dwn4EIwDiqkL4KAQBEzgMB4U9HHgAAAABJRU5ErkJggg=='
const LOGO = `/images/${'0'.repeat(64)}.png`

function imageForm(): FormData {
  const form = new FormData()
  const bytes = Uint8Array.from(atob(PIXEL), letter => letter.charCodeAt(0))
  form.append('file', new File([bytes], 'stamp.png', { type: 'image/png' }))
  return form
}

/** Each call with input that succeeds for an account that may make it. */
function samples(): Record<string, { path?: string; body?: unknown }> {
  const paid = state.payments.find(
    each => each.letter_code !== null && each.user_id === personas.superAdmin.id,
  )
  const anyPaid = paid ?? state.payments.find(each => each.letter_code !== null)
  const id = anyPaid?.transaction_id ?? ''
  // Staff hold what they paid for, as everyone does.
  if (anyPaid)
    state.payments.push({ ...anyPaid, transaction_id: 'CVFSTAFF', user_id: personas.superAdmin.id })
  const held = state.certificates.find(each => each.certificate_number === anyPaid?.certificate_number)
  const reset = state.links.find(each => each.purpose === 'reset-password')?.token ?? ''
  const verify = state.links.find(each => each.purpose === 'verify-email')?.token ?? ''
  const { email: _, password: __, ...profile } = makeUser()
  const known = { certificate_number: 'UG/2019/00123' }
  notify(state, personas.superAdmin.id, passwordChangedNotice, 'profile', new Date())
  const [told] = state.notifications
  const [upload] = state.uploads
  state.settings.images[`/api${LOGO}`] = `data:image/png;base64,${PIXEL}`
  return {
    'auth.register': { body: makeUser() },
    'auth.login': { body: { email: personas.user.email, password: DEMO_PASSWORD } },
    'auth.logout': {},
    'auth.forgotPassword': { body: { email: personas.otherUser.email } },
    'auth.checkResetToken': { path: `/auth/reset-password/${reset}` },
    'auth.resetPassword': { path: `/auth/reset-password/${reset}`, body: { password: 'Changed123' } },
    'auth.verifyEmail': { path: `/auth/verify-email/${verify}` },
    'auth.resendVerification': { body: { email: personas.unverified.email } },
    'auth.profile': {},
    'auth.updateProfile': { body: profile },
    'auth.changePassword': { body: { current_password: DEMO_PASSWORD, new_password: 'Changed123' } },
    'verification.checkCertificate': { body: known },
    'verification.processPayment': { body: known },
    'verification.checkStatus': { path: `/verification/check-verification-status/${id}` },
    'verification.paymentStatus': { path: `/verification/payment-status/${id}` },
    'verification.publicPaymentStatus': { path: `/verification/public/payment-status/${id}` },
    'verification.history': { path: '/verification/history?page=1&per_page=10' },
    'verification.statistics': {},
    'verification.settings': {},
    'bulkVerification.check': { body: { certificate_numbers: ['UG/2019/00123', 'UG/1901/00001', 'x'] } },
    'bulkVerification.pay': { body: { certificate_numbers: ['UG/2019/00123'] } },
    'transactions.certificate': { path: `/verification/certificate/${held?.id}` },
    'transactions.askGateway': { path: `/verification/bpms/check/${id}` },
    'transactions.askAllPending': {},
    'transactions.search': { path: '/verification/transactions/search?status=PAID&limit=5' },
    'transactions.logs': { path: `/verification/transactions/${id}/logs` },
    'transactions.bulkCheck': {},
    'letterFiles.pdf': { path: `/letters/${anyPaid?.letter_code}.pdf` },
    'letterFiles.credential': { path: `/letters/${anyPaid?.letter_code}.jwt` },
    'letterFiles.checkFile': { body: letterForm('%PDF-1.4 someone else’s') },
    'letterFiles.checkCredential': { body: { credential: 'a.b.c' } },
    'letterFiles.email': {
      path: `/verification/letters/${anyPaid?.letter_code}/email`,
      body: { email: 'colleague@users.test' },
    },
    'letterFiles.zip': { path: '/verification/letters/zip/CVFSTAFF' },
    'letterHolder.reissue': { path: `/verification/letters/${anyPaid?.letter_code}/reissue` },
    'letters.check': { path: `/letters/${anyPaid?.letter_code}` },
    'adminCertificates.list': { path: '/admin/certificates?search=computer' },
    'adminCertificates.create': { body: makeCertificate() },
    'adminCertificates.update': { path: '/admin/certificates/certificate-2', body: makeCertificate() },
    'adminCertificates.remove': { path: '/admin/certificates/certificate-3' },
    'adminSettings.fee': {},
    'adminSettings.updateFee': { body: { fee: 6000.5 } },
    'adminSettings.feeHistory': { path: '/admin/settings/fee-history?page=1&per_page=1' },
    'secondFactor.read': {},
    'secondFactor.begin': { body: { current_password: DEMO_PASSWORD } },
    'secondFactor.confirm': { body: { code: '123456' } },
    'secondFactor.renewCodes': { body: { code: '123456' } },
    'secondFactor.remove': { body: { current_password: DEMO_PASSWORD, code: '123456' } },
    'secondFactor.reset': { path: `/admin/users/${personas.admin.id}/reset-second-factor` },
    'adminSettings.policies': {},
    'adminSettings.updatePolicies': { body: { unknown_certificates: 'charge' } },
    'adminSettings.institution': {},
    'adminSettings.updateInstitution': { body: { ...demoInstitution, accent: '#7A1F3D' } },
    'adminSettings.letter': {},
    'adminSettings.updateLetter': { body: { ...demoSignatory, ...defaultLetterTexts } },
    'adminSettings.uploadImage': { path: '/admin/settings/images/stamp', body: imageForm() },
    'adminSettings.removeImage': { path: '/admin/settings/images/logo' },
    'brand.stylesheet': {},
    'brand.image': { path: LOGO },
    'adminUploads.template': {},
    'adminUploads.upload': { body: csvForm('UG/2031/00001,Ada Obi,,Law,2019-07-07,Pass,Law') },
    'adminUploads.list': {},
    'adminUploads.history': {},
    'adminUploads.read': { path: `/admin/certificates/uploads/${upload?.id}` },
    'adminUploads.cancel': { path: `/admin/certificates/uploads/${upload?.id}` },
    'adminUploads.rows': { path: `/admin/certificates/uploads/${upload?.id}/rows` },
    'adminUploads.report': { path: `/admin/certificates/uploads/${upload?.id}/report?rows=failed` },
    'adminUsers.list': { path: '/admin/users?role=user,admin&status=enabled&search=a' },
    'adminUsers.create': { body: makeUser() },
    'adminUsers.update': {
      path: `/admin/users/${personas.bureau.id}`,
      body: { ...profile, email: 'new@users.test' },
    },
    'adminUsers.toggleStatus': { path: `/admin/users/${personas.disabled.id}/toggle-status` },
    'adminUsers.verifyEmail': { path: `/admin/users/${personas.unverified.id}/verify-email` },
    'adminUsers.changeRole': { path: `/admin/users/${personas.hospital.id}/role`, body: { role: 'admin' } },
    'adminUsers.resendVerification': { path: `/admin/users/${personas.unverified.id}/resend-verification` },
    'adminLogs.list': { path: '/admin/activity-logs?activity_type=payment&per_page=5' },
    'adminAnalytics.dashboard': {},
    'adminReconciliation.reconcileDay': { body: { date: '2026-01-05' } },
    'adminReconciliation.reconcileOne': { path: `/admin/bpms/reconcile/${id}` },
    'adminReconciliation.runs': { path: '/admin/reconciliations?page=1' },
    'adminReconciliation.refunds': { path: '/admin/refunds?status=due&search=CVF' },
    'adminReconciliation.approveRefund': {
      path: '/admin/refunds/refund-1/approve',
      body: { bank_reference: 'FT-1' },
    },
    'adminReconciliation.ledger': { path: '/admin/ledger?account=revenue&per_page=5' },
    'adminReports.authentications': { path: '/admin/authentications?status=SUCCESS&search=ug' },
    'adminReports.transactions': { path: '/admin/bpms/transactions?status=PAID&per_page=5' },
    'adminReports.summary': {},
    'notifications.list': { path: '/notifications?page=1&per_page=5' },
    'notifications.read': { path: `/notifications/${told?.id}/read` },
    'notifications.readAll': {},
    'health.alive': {},
    'health.ready': {},
  }
}

const table = Object.entries(routes).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, route]: [string, Route]) => ({ key: `${domain}.${name}`, route })),
)

async function sendSample(key: string, route: Route, token: string) {
  await send('POST', '/auth/forgot-password', { body: { email: personas.user.email } })
  await send('POST', '/auth/resend-verification', { body: { email: personas.unverified.email } })
  if (key.startsWith('adminUploads.')) {
    const staff = await login(personas.admin.email)
    await send('POST', '/admin/certificates/upload', { token: staff, body: csvForm('bad,,,,,,') })
  }
  const sample = samples()[key]
  if (!sample) throw new Error(`No sample call for ${key}: add one above.`)
  return send(route.method, sample.path ?? route.path, { token, body: sample.body })
}

describe('every route', () => {
  it.each(table)('$key answers what its schema says', async ({ key, route }) => {
    const token = await login(personas.superAdmin.email)
    const { status, headers, body } = await sendSample(key, route, token)
    expect({ status, body }).toMatchObject({ status: route.status ?? 200 })
    if (route.media && body.file !== undefined)
      expect(route.media).toContain(headers.get('content-type')?.split(';')[0])
    else expect(route.reply.parse(body)).toEqual(body)
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  const callers = [
    { caller: 'nobody', email: undefined, may: ['public'] },
    { caller: 'user', email: personas.user.email, may: ['public', 'user'] },
    { caller: 'admin', email: personas.admin.email, may: ['public', 'user', 'admin'] },
    {
      caller: 'super admin',
      email: personas.superAdmin.email,
      may: ['public', 'user', 'admin', 'super_admin'],
    },
  ] satisfies { caller: string; email: string | undefined; may: Access[] }[]

  describe.each(callers)('as $caller', ({ email, may }) => {
    it.each(table)('$key obeys its access', async ({ key, route }) => {
      const token = email ? await login(email) : ''
      const { status, body } = await sendSample(key, route, token)
      const allowed = may.some(access => access === route.access)
      if (allowed) expect([401, 403]).not.toContain(status)
      else if (email) expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
      else expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
    })
  })
})

describe('accounts', () => {
  it('registers, mails a link, and lets in only after it was followed, once', async () => {
    const person = makeUser()
    expect((await send('POST', '/auth/register', { body: person })).status).toBe(201)
    const credentials = { email: person.email, password: person.password }
    const early = await send('POST', '/auth/login', { body: credentials })
    expect(early.body).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const link = state.mails[0]?.link ?? ''
    expect(state.mails[0]?.to).toBe(person.email)
    expect((await send('GET', `/auth${link}`)).body).toEqual({ message: 'Email verified successfully!' })
    expect((await send('GET', `/auth${link}`)).body).toMatchObject({ code: 'INVALID_VERIFICATION_TOKEN' })
    const token = await login(person.email, person.password)
    const profile = await send('GET', '/auth/profile', { token })
    expect(profile.body.user).toMatchObject({ email: person.email, role: 'user', is_verified: true })
  })

  it('gives a token that the browser can read, and ends it at log-out', async () => {
    const token = await login(personas.admin.email)
    const claims: unknown = JSON.parse(
      atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    )
    expect(claims).toMatchObject({ sub: personas.admin.id, role: 'admin' })
    await send('POST', '/auth/logout', { token })
    expect((await send('GET', '/auth/profile', { token })).status).toBe(401)
  })

  it('answers alike for known and unknown addresses, and refuses disabled accounts', async () => {
    const known = await send('POST', '/auth/register', { body: makeUser({ email: personas.user.email }) })
    const fresh = await send('POST', '/auth/register', { body: makeUser() })
    expect(known.body).toEqual(fresh.body)
    const body = { email: personas.disabled.email, password: DEMO_PASSWORD }
    expect((await send('POST', '/auth/login', { body })).body).toMatchObject({ code: 'ACCOUNT_DISABLED' })
    const wrong = await send('POST', '/auth/login', { body: { ...body, password: 'Wrong1234' } })
    expect(wrong.body).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })
})

describe('the verification job', () => {
  const number = 'UG/2019/00123'

  async function deleteCertificate(certificate_number: string) {
    const id = state.certificates.find(each => each.certificate_number === certificate_number)?.id
    const admin = await login(personas.admin.email)
    const { body } = await send('DELETE', `/admin/certificates/${id}`, { token: admin })
    expect(body.message).toContain('Certificate withdrawn.')
  }

  it.each([
    ['pay', { status: 'paid', verification_status: 'success' }],
    ['decline', { status: 'failed', code: 'CARD_DECLINED' }],
    ['cancel', { status: 'failed', code: 'PAYMENT_CANCELLED' }],
  ] as const)('%s at the gateway', async (outcome, expected) => {
    const token = await login(personas.user.email)
    const body = { certificate_number: number }
    const check = await send('POST', '/verification/check-certificate', { token, body })
    expect(check.body).toEqual({ status: 'payment_required', certificate: { certificate_number: number } })
    const started = await send('POST', '/verification/process-payment', { token, body })
    const again = await send('POST', '/verification/process-payment', { token, body })
    expect(again.body).toEqual(started.body)
    const id = z.string().parse(started.body.transaction_id)
    const path = `/verification/check-verification-status/${id.toLowerCase()}`
    expect((await send('GET', path, { token })).body).toMatchObject({ status: 'pending', certificate: null })

    expect(settle(state, id, outcome)).toBe(true)
    const status = await send('GET', path, { token })
    expect(status.body).toMatchObject(expected)
    const known = await send('POST', '/verification/check-certificate', { token, body })
    expect(known.body.status).toBe(outcome === 'pay' ? 'already_paid' : 'payment_required')
    if (outcome !== 'pay') return
    expect(status.body.verification_template).toMatchObject({
      recipient: { company: 'Harmattan Foods Limited' },
    })
    const { code } = z.object({ code: z.string() }).parse(status.body.letter)
    expect((await send('GET', `/letters/${code}`)).body).toMatchObject({ status: 'valid' })
    await deleteCertificate(number)
    expect((await send('GET', `/letters/${code}`)).body).toMatchObject({ status: 'withdrawn' })
    expect(settle(state, id, 'cancel')).toBe(true)
    expect((await send('GET', path, { token })).body).toMatchObject({ status: 'paid' })
  })

  it('keeps one person from seeing the payment of another', async () => {
    const own = state.payments.find(each => each.user_id === personas.user.id)
    const path = `/verification/check-verification-status/${own?.transaction_id}`
    const foreign = await send('GET', path, { token: await login(personas.otherUser.email) })
    expect(foreign.body).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
    expect((await send('GET', path, { token: await login(personas.admin.email) })).status).toBe(200)
  })

  it('fails a payment that was left open for too long', async () => {
    const own = state.payments.find(each => each.status === 'pending')
    if (!own) throw new Error('The demo data holds no pending payment.')
    own.expires_at = new Date(Date.now() - 1000).toISOString()
    const { body } = await send('GET', `/verification/public/payment-status/${own.transaction_id}`)
    expect(body).toMatchObject({ status: 'failed', code: 'PAYMENT_TIMEOUT' })
  })

  it('says of an unknown number that it is not found, before any payment', async () => {
    const token = await login(personas.user.email)
    const body = { certificate_number: 'UG/1999/99999' }
    const check = await send('POST', '/verification/check-certificate', { token, body })
    expect(check.body).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' })
    const started = await send('POST', '/verification/process-payment', { token, body })
    expect(started.body).toMatchObject({ status: 'not_found', payment_reference: null })
  })
})

describe('notifications', () => {
  it('tells of a payment, counts, and marks own ones alone as read', async () => {
    const token = await login(personas.user.email)
    const before = await send('GET', '/notifications', { token })
    const body = { certificate_number: 'UG/2019/00123' }
    const started = await send('POST', '/verification/process-payment', { token, body })
    settle(state, z.string().parse(started.body.transaction_id), 'pay')
    const after = await send('GET', '/notifications?per_page=1', { token })
    expect(after.body).toMatchObject({
      unread_count: Number(before.body.unread_count) + 1,
      notifications: [{ title: 'Certificate verified', link: '/dashboard/history', read_at: null }],
    })
    const path = `/notifications/${state.notifications[0]?.id}/read`
    const other = await send('POST', path, { token: await login(personas.otherUser.email) })
    expect(other).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await send('POST', path, { token })).body).toEqual({ unread_count: before.body.unread_count })
    const all = await send('POST', '/notifications/read-all', { token })
    expect(all.body).toEqual({ unread_count: 0 })
  })
})

describe('staff', () => {
  it('adds, finds, corrects and deletes a certificate', async () => {
    const token = await login(personas.admin.email)
    const body = makeCertificate()
    const search = `/admin/certificates?search=${encodeURIComponent(body.certificate_number)}`
    const created = await send('POST', '/admin/certificates', { token, body })
    expect(created.status).toBe(201)
    const { id } = z.object({ id: z.string() }).parse(created.body.certificate)
    const twice = await send('POST', '/admin/certificates', { token, body })
    expect(twice.body).toMatchObject({ code: 'CERTIFICATE_EXISTS' })
    const corrected = { ...body, grade: 'Pass' }
    await send('PUT', `/admin/certificates/${id}`, { token, body: corrected })
    expect((await send('GET', search, { token })).body.certificates).toMatchObject([corrected])
    expect((await send('DELETE', `/admin/certificates/${id}`, { token })).status).toBe(200)
    expect((await send('GET', search, { token })).body.certificates).toEqual([])
    const gone = await send('DELETE', `/admin/certificates/${id}`, { token })
    expect(gone.body).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' })
  })

  it('names each wrong field as the contract words it', async () => {
    const token = await login(personas.admin.email)
    const { status, body } = await send('POST', '/admin/certificates', { token, body: { grade: ' ' } })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { certificate_number: 'Please enter a certificate number.', grade: 'Grade is required' },
    })
  })

  it('sets the fee that the next payment costs, not one already started', async () => {
    const [token, user] = [await login(personas.admin.email), await login(personas.user.email)]
    const start = (certificate_number: string) =>
      send('POST', '/verification/process-payment', { token: user, body: { certificate_number } })
    const before = await start('UG/2019/00123')
    await send('PUT', '/admin/settings/verification-fee', { token, body: { fee: 6250.5 } })
    expect((await send('GET', '/verification/settings')).body).toMatchObject({ verification_fee: 6250.5 })
    expect((await start('UG/2019/00123')).body).toEqual(before.body)
    const paid = new Set(state.payments.map(each => each.certificate_number))
    const other = state.certificates.find(
      each => !paid.has(each.certificate_number) && each.id !== 'certificate-1',
    )
    expect((await start(other?.certificate_number ?? '')).body).toMatchObject({ amount_paid: 6250.5 })
  })
})

describe('refusals', () => {
  it('are the catalogue’s, with a request id', async () => {
    const { status, headers, body } = await send('GET', '/no/such/route')
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        error: 'What you asked for does not exist.',
        code: 'NOT_FOUND',
        request_id: headers.get('x-request-id'),
      },
    })
  })

  it('can be asked for, one route at a time', async () => {
    server.use(failing(routes.verification.settings, 'DATABASE_UNAVAILABLE'))
    expect((await send('GET', '/verification/settings')).status).toBe(503)
    server.resetHandlers()
    expect((await send('GET', '/verification/settings')).status).toBe(200)
  })
})
