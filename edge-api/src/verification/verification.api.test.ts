import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { describe, expect, test } from 'vitest'
import {
  type Account,
  type ApiResponse,
  control,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  signIn,
  staffToken,
  waitForMails,
} from '../../test/portal.ts'

const call = (account: Pick<Account, 'token'>, method: string, path: string, body?: unknown) =>
  request(method, path, { token: account.token, ...(body !== undefined && { body }) })
const check = (account: Account, number: string) =>
  call(account, 'POST', '/verification/check-certificate', { certificate_number: number })
const pay = (account: Account, number: string) =>
  call(account, 'POST', '/verification/process-payment', { certificate_number: number })
const readStatus = (account: Pick<Account, 'token'>, id: string) =>
  call(account, 'GET', `/verification/check-verification-status/${id}`)

async function startPayment() {
  const [account, certificate] = await Promise.all([newAccount(), newCertificate()])
  const reply = await pay(account, certificate.certificate_number)
  expect(reply.status).toBe(200)
  expect(reply.body.status).toBe('payment_initiated')
  const id: string = reply.body.transaction_id
  const reference: string = reply.body.payment_reference
  return { account, certificate, id, reference, reply }
}

async function waitForStatus(account: Account, id: string, status: string): Promise<ApiResponse> {
  return eventually(async () => {
    const response = await readStatus(account, id)
    return response.body.status === status ? response : undefined
  }, `${id} to be ${status}`)
}

async function createPaidPayment() {
  const all = await startPayment()
  await endPaymentAtGateway(all.reference, '00')
  return { ...all, status: await waitForStatus(all.account, all.id, 'paid') }
}

describe('the main flow', () => {
  test('a person checks a number, pays, and receives the official letter', {
    tags: ['SPEC-3.5', 'SPEC-3.6', 'SPEC-7.8'],
  }, async () => {
    const [account, certificate] = await Promise.all([newAccount(), newCertificate()])
    const number = certificate.certificate_number

    const checked = await check(account, ` ${number.toLowerCase()} `)
    expect(checked.status).toBe(200)
    expect(checked.body).toEqual({
      status: 'payment_required',
      certificate: { certificate_number: number },
    })

    const reply = await pay(account, number)
    expect(reply.body).toMatchObject({ status: 'payment_initiated', amount_paid: 5000, currency: 'NGN' })
    expect(reply.body.transaction_id).toMatch(/^CVF[0-9A-HJKMNP-TV-Z]{21}$/)
    expect(reply.body.payment_reference).toMatch(/^[0-9A-Z]{1,15}$/)
    expect(Object.keys(reply.body.payment_data)).toContain('hash')
    expect(JSON.stringify(reply.body)).not.toContain(certificate.student_name)

    const before = await readStatus(account, reply.body.transaction_id)
    expect(before.body).toMatchObject({
      status: 'pending',
      verification_status: null,
      resolution: null,
      certificate: null,
      letter: null,
      verification_template: null,
      amount_paid: null,
      certificate_number: number,
    })

    await endPaymentAtGateway(reply.body.payment_reference, '00')
    const after = await waitForStatus(account, reply.body.transaction_id, 'paid')
    expect(after.body).toMatchObject({
      verification_status: 'success',
      resolution: 'verified',
      amount_paid: 5000,
      bpms_status: 'APPROVED',
      certificate: {
        certificate_number: number,
        student_name: certificate.student_name,
        grade: certificate.grade,
      },
      letter: { status: 'valid' },
    })
    expect(after.body.certificate).not.toHaveProperty('matric_number')
    expect(after.body.verification_template.recipient.company).toBe(account.address.split(',')[0])
    expect(after.body.verification_template.content.certificate_details.name).toBe(certificate.student_name)

    const secondReply = await check(account, number)
    expect(secondReply.body).toMatchObject({
      status: 'already_paid',
      transaction_id: reply.body.transaction_id,
      authentication_date: after.body.authentication_date,
      certificate: { student_name: certificate.student_name },
    })
    expect((await pay(account, number)).body.status).toBe('already_paid')
    const mails = await waitForMails(account.email, { atLeast: 2 })
    expect(mails[0]?.subject).toBe('Your verification is complete')
  })

  test('a callback alone syncs the payment of a payer who closed every tab', async () => {
    const { account, reference } = await startPayment()
    await endPaymentAtGateway(reference, '00')
    const mails = await waitForMails(account.email, { atLeast: 2 })
    expect(mails[0]?.subject).toBe('Your verification is complete')
  })

  test('fault 37: transaction IDs are accepted in lower case and with the displayed dashes', {
    tags: ['FAULT-37', 'SPEC-7.9'],
  }, async () => {
    const { account, id } = await startPayment()
    const shown = id.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')
    expect((await readStatus(account, shown)).body.transaction_id).toBe(id)
    expect((await call(account, 'GET', `/verification/payment-status/${id}`)).body.transaction_id).toBe(id)
  })
})

describe('starting a payment', () => {
  test('ten parallel requests create one open attempt', { tags: ['QUALITY-25', 'SPEC-7.8'] }, async () => {
    const [account, certificate] = await Promise.all([newAccount(), newCertificate()])
    const all = await Promise.all(
      Array.from({ length: 10 }, () => pay(account, certificate.certificate_number)),
    )
    expect(all.map(reply => reply.status)).toEqual(Array(10).fill(200))
    expect(new Set(all.map(reply => reply.body.transaction_id)).size).toBe(1)
  })

  test('ignores an amount that a client sends', { tags: ['QUALITY-20'] }, async () => {
    const [account, certificate] = await Promise.all([newAccount(), newCertificate()])
    const body = { certificate_number: certificate.certificate_number, amount: 1, fee: 1, amount_paid: 1 }
    expect((await call(account, 'POST', '/verification/process-payment', body)).body.amount_paid).toBe(5000)
  })

  test('an idempotency key gets the same response when repeated, and is refused with another number', async () => {
    const [account, one, other] = await Promise.all([newAccount(), newCertificate(), newCertificate()])
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = (certificate_number: string, extraHeaders: Record<string, string> = headers) =>
      request('POST', '/verification/process-payment', {
        token: account.token,
        headers: extraHeaders,
        body: { certificate_number },
      })
    const first = await send(one.certificate_number)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const second = await send(one.certificate_number)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    // The open attempt is continued because it is open, not because of a key.
    const continued = await send(one.certificate_number, {})
    expect(continued.body).toEqual(first.body)
    expect(continued.headers.has('idempotent-replayed')).toBe(false)
    expect(await send(other.certificate_number)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    })
    expect((await send(other.certificate_number, { 'idempotency-key': 'é'.repeat(3) })).status).toBe(400)
  })

  test('reports an unknown number before any payment', { tags: ['SPEC-7.8'] }, async () => {
    const account = await newAccount()
    const number = `UG/1999/${crypto.randomUUID().slice(0, 8).toUpperCase()}000`
    expect(await check(account, number)).toMatchObject({
      status: 404,
      body: { code: 'CERTIFICATE_NOT_FOUND', error: 'Certificate not found in our database.' },
    })
    expect(await pay(account, number)).toMatchObject({
      status: 200,
      body: { status: 'not_found', payment_reference: null, amount_paid: null },
    })
    expect((await call(account, 'GET', '/verification/history')).body.counters.total).toBe(0)
  })

  test.each([
    ['', 'Please enter a certificate number.'],
    ['abc', 'Please enter a valid certificate number.'],
  ])('refuses the number "%s" with its message', async (number, message) => {
    expect(await check(await newAccount(), number)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { certificate_number: message } },
    })
  })
})

describe('the end of a payment', () => {
  test.each([
    ['51', 'INSUFFICIENT_FUNDS'],
    ['14', 'INVALID_CARD'],
    ['05', 'CARD_DECLINED'],
    ['54', 'CARD_DECLINED'],
    ['91', 'PAYMENT_FAILED'],
    ['Z6', 'PAYMENT_CANCELLED'],
  ])('with code %s is a failure with %s, after which a new attempt may start', async (code, expected) => {
    const { account, certificate, id, reference } = await startPayment()
    await endPaymentAtGateway(reference, code)
    const failed = await waitForStatus(account, id, 'failed')
    expect(failed.body).toMatchObject({ code: expected, certificate: null, letter: null })
    const secondReply = await pay(account, certificate.certificate_number)
    expect(secondReply.body.status).toBe('payment_initiated')
    expect(secondReply.body.transaction_id).not.toBe(id)
  })

  test.each(['68', 'Z0'])(
    'with code %s leaves the payment pending, and it becomes paid once confirmed',
    async code => {
      const { account, id, reference } = await startPayment()
      await endPaymentAtGateway(reference, code)
      const waiting = await eventually(async () => {
        const response = await readStatus(account, id)
        return response.body.bpms_status === 'PROCESSING' ? response : undefined
      }, 'the gateway to report that it is processing')
      expect(waiting.body.status).toBe('pending')
      await endPaymentAtGateway(reference, '00')
      expect((await waitForStatus(account, id, 'paid')).body.verification_status).toBe('success')
    },
  )

  test('that is reported as failed after it was paid leaves it paid', {
    tags: ['QUALITY-26', 'FAULT-11'],
  }, async () => {
    const { account, id, reference } = await createPaidPayment()
    await endPaymentAtGateway(reference, '51')
    expect((await readStatus(account, id)).body).toMatchObject({ status: 'paid', resolution: 'verified' })
  })

  test.each([
    ['one kobo under', { amount_paid: 4999.99 }, 'pending', 'refund_due', [4999.99, 'NGN']],
    ['another currency', { currency: 'USD' }, 'pending', 'refund_due', [5000, 'USD']],
    ['one kobo over', { amount_paid: 5000.01 }, 'paid', 'verified', [0.01, 'NGN']],
  ])(
    'with %s has the expected resolution and refund due',
    async (_, wrong, status, resolution, [refund_due, refund_currency]) => {
      const { account, id, reference } = await startPayment()
      await control('settle', { request_id: reference, code: '00', ...wrong })
      const response = await eventually(async () => {
        const seen = await readStatus(account, id)
        return seen.body.resolution === null ? undefined : seen
      }, 'a resolution')
      const expected = { resolution, refund_due, refund_currency }
      expect(response.body).toMatchObject({ status, ...expected })
      expect((await call(account, 'GET', `/verification/public/payment-status/${id}`)).body).toMatchObject(
        expected,
      )
      const { history } = (await call(account, 'GET', '/verification/history')).body
      expect(history[0]).toMatchObject({ payment_status: status, resolution })
      if (status === 'pending') expect(response.body.certificate).toBeNull()
    },
  )

  test('with 20 parallel callbacks and status checks produces one letter', {
    tags: ['QUALITY-24'],
  }, async () => {
    const { account, id, reference } = await startPayment()
    await endPaymentAtGateway(reference, '00')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        turn % 2 === 0 ? readStatus(account, id) : control('redeliver', { request_id: reference }),
      ),
    )
    expect(all.every(response => response.status < 300)).toBe(true)
    const { body } = await waitForStatus(account, id, 'paid')
    const history = await call(account, 'GET', '/verification/history')
    expect(history.body.history).toHaveLength(1)
    expect(history.body.history[0].letter).toMatchObject(body.letter)
    const mails = await waitForMails(account.email, { atLeast: 2 })
    expect(mails.filter(mail => mail.subject === 'Your verification is complete')).toHaveLength(1)
  })
})

describe('access', () => {
  test('another account gets the same 404 response for a payment as for an unknown ID, and admins can see it', {
    tags: ['QUALITY-15', 'SPEC-6.2', 'SPEC-6.3', 'SPEC-7.9'],
  }, async () => {
    const { account, id } = await startPayment()
    const other = await newAccount()
    const foreign = await readStatus(other, id)
    const nothing = await readStatus(other, `CVF${'0'.repeat(21)}`)
    const pickError = ({ status, body }: ApiResponse) => ({ status, error: body.error, code: body.code })
    expect(pickError(foreign)).toEqual(pickError(nothing))
    expect(pickError(foreign)).toMatchObject({ status: 404, code: 'TRANSACTION_NOT_FOUND' })
    const admin = { token: await staffToken('admin') }
    expect((await readStatus(admin, id)).body.transaction_id).toBe(id)
    expect((await readStatus(account, id)).status).toBe(200)
  })

  test.each([
    ['POST', '/verification/check-certificate'],
    ['POST', '/verification/process-payment'],
    ['GET', '/verification/check-verification-status/CVF0'],
    ['GET', '/verification/payment-status/CVF0'],
    ['GET', '/verification/history'],
    ['GET', '/verification/statistics'],
  ])('%s %s requires an account', async (method, path) => {
    expect(await request(method, path, method === 'POST' ? { body: {} } : {})).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    })
  })

  test('the public lookup shows details of a certificate only once it is paid for', {
    tags: ['QUALITY-27', 'QUALITY-35', 'SPEC-3.13', 'SPEC-7.9'],
  }, async () => {
    const { account, certificate, id, reference } = await startPayment()
    const readStatus = () => request('GET', `/verification/public/payment-status/${id}`)
    const before = await readStatus()
    expect(before.body).toMatchObject({ status: 'pending', certificate: null })
    expect(before.headers.get('cache-control')).toBe('no-store')
    expect(before.headers.get('referrer-policy')).toBe('no-referrer')
    expect(before.headers.get('x-robots-tag')).toBe('noindex')
    await endPaymentAtGateway(reference, '00')
    await waitForStatus(account, id, 'paid')
    const { student_name, course, graduation_date, grade } = certificate
    expect((await readStatus()).body).toMatchObject({
      status: 'paid',
      verification_status: 'success',
      payment_reference: reference,
      amount_paid: 5000,
      certificate: { student_name, course, graduation_date, grade },
    })
    expect(await request('GET', '/verification/public/payment-status/CVF-NOPE')).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND' },
    })
  })

  test('a failed payment shows its reason, even in public tracking', async () => {
    const { account, id, reference } = await startPayment()
    await endPaymentAtGateway(reference, '51')
    await waitForStatus(account, id, 'failed')
    expect((await request('GET', `/verification/public/payment-status/${id}`)).body).toMatchObject({
      status: 'failed',
      code: 'INSUFFICIENT_FUNDS',
      message: 'Insufficient funds. Please check your account balance.',
    })
  })
})

describe('history, statistics, settings', () => {
  test('the history is newest first, counted and paged, and the statistics count paid verifications', {
    tags: ['SPEC-3.8', 'SPEC-3.9', 'SPEC-3.12', 'SPEC-6.2', 'SPEC-7.10'],
  }, async () => {
    const account = await newAccount()
    const ids: string[] = []
    for (const code of ['00', '51', '00']) {
      const { certificate_number } = await newCertificate()
      const { body } = await pay(account, certificate_number)
      await endPaymentAtGateway(body.payment_reference, code)
      await waitForStatus(account, body.transaction_id, code === '00' ? 'paid' : 'failed')
      ids.unshift(body.transaction_id)
    }
    const first = await call(account, 'GET', '/verification/history?per_page=2')
    expect(first.body.history.map((row: { bpms_transaction_id: string }) => row.bpms_transaction_id)).toEqual(
      ids.slice(0, 2),
    )
    expect(first.body.pagination).toEqual({
      page: 1,
      pages: 2,
      per_page: 2,
      total: 3,
      has_prev: false,
      has_next: true,
    })
    expect(first.body.counters).toEqual({ total: 3, successful: 2, not_found: 0 })
    expect(first.body.history[0]).toMatchObject({
      authentication_result: 'success',
      payment_status: 'paid',
      amount_paid: 5000,
      letter: { status: 'valid' },
    })
    expect(first.body.history[1]).toMatchObject({
      authentication_result: 'failed',
      payment_status: 'failed',
      certificate_details: null,
      letter: null,
    })
    const second = await call(account, 'GET', '/verification/history?per_page=2&page=2')
    expect(second.body.history).toHaveLength(1)

    const { body } = await call(account, 'GET', '/verification/statistics')
    expect(body).toEqual({
      statistics: {
        total_verifications: 2,
        successful_verifications: 2,
        failed_verifications: 0,
        success_rate: 100,
        total_amount_spent: 10000,
      },
      currency: 'NGN',
    })
  })

  test('the demo accounts have months of history, with readable pages and letters', async () => {
    const { token } = await signIn(personas.user.email, DEMO_PASSWORD)
    const first = await call({ token }, 'GET', '/verification/history?per_page=100')
    expect(first.status).toBe(200)
    expect(first.body.history.length).toBeGreaterThan(10)
    const delivered = first.body.history.filter((row: { letter: unknown }) => row.letter)
    expect(delivered.length).toBeGreaterThan(5)
    for (const row of delivered.slice(0, 3)) {
      expect((await readStatus({ token }, row.bpms_transaction_id)).body).toMatchObject({
        status: 'paid',
        letter: { code: row.letter.code, url: row.letter.url, status: row.letter.status },
        certificate: row.certificate_details,
      })
      expect((await request('GET', `/letters/${row.letter.code}`)).status).toBe(200)
    }
  })

  test('the fee and the contact details can be read by anyone', {
    tags: ['SPEC-1.4', 'SPEC-3.11', 'SPEC-7.10'],
  }, async () => {
    const { status, body } = await request('GET', '/verification/settings')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      verification_fee: 5000,
      currency: 'NGN',
      institution: { name: expect.any(String) },
      test_payments: true,
    })
  })
})

describe('letters', () => {
  test('a code shows that the letter is genuine, and whether its certificate has been changed or deleted since', async () => {
    const { certificate, status } = await createPaidPayment()
    const { code, url } = status.body.letter
    expect(url.endsWith(`/letters/${code}`)).toBe(true)
    const readLetter = () => request('GET', `/letters/${code.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')}`)
    const valid = await readLetter()
    expect(valid.body).toMatchObject({
      status: 'valid',
      code,
      certificate_number: certificate.certificate_number,
      ref_number: status.body.verification_template.header.ref_number,
      certificate_details: { name: certificate.student_name },
    })
    expect(valid.headers.get('cache-control')).toBe('no-store')
    expect(valid.headers.get('referrer-policy')).toBe('no-referrer')

    const token = await staffToken('admin')
    const { id: _id, uploader_email: _by, uploaded_at: _at, ...fields } = certificate
    const path = `/admin/certificates/${certificate.id}`
    expect((await request('PUT', path, { token, body: { ...fields, grade: 'Pass' } })).status).toBe(200)
    const changed = await readLetter()
    expect(changed.body).toMatchObject({
      status: 'superseded',
      certificate_details: { class: certificate.grade },
    })
    expect((await request('DELETE', path, { token })).status).toBe(200)
    expect((await readLetter()).body.status).toBe('withdrawn')
  })

  test('a code that does not exist gets a 404 response', async () => {
    expect(await request('GET', '/letters/0000-0000-0000')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})
