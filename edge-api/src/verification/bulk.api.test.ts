import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  signIn,
  staffToken,
} from '../../test/portal.ts'

const call = (account: Pick<Account, 'token'>, method: string, path: string, body?: unknown) =>
  request(method, `/verification${path}`, { token: account.token, ...(body !== undefined && { body }) })
const bulk = (account: Account, path: string, certificate_numbers: unknown) =>
  call(account, 'POST', path, { certificate_numbers })

async function newNumbers(count: number) {
  const all = await Promise.all(Array.from({ length: count }, () => newCertificate()))
  return all.map(item => item.certificate_number)
}

/** Starts a bulk payment. */
async function startPayment(count = 2) {
  const [account, numbers] = await Promise.all([newAccount(), newNumbers(count)])
  const { body } = await bulk(account, '/process-bulk-payment', numbers)
  const id: string = body.transaction_id
  const reference: string = body.payment_reference
  return { account, numbers, id, reference, body }
}

const waitForStatus = (account: Account, id: string, status: string) =>
  eventually(async () => {
    const response = await call(account, 'GET', `/check-verification-status/${id}`)
    return response.body.status === status ? response.body : undefined
  }, `${id} to be ${status}`)

async function createPaidPayment(count = 2) {
  const all = await startPayment(count)
  await endPaymentAtGateway(all.reference, '00')
  return { ...all, status: await waitForStatus(all.account, all.id, 'paid') }
}

test('checks several numbers, pays once, and issues a letter for each', async () => {
  const account = await newAccount()
  const numbers = await newNumbers(3)
  const [first = ''] = numbers
  const list = [...numbers, first.toLowerCase(), 'UG/1901/00001', 'x']
  const checked = await bulk(account, '/verify-bulk', list)
  expect(checked).toMatchObject({
    status: 200,
    body: {
      amount_due: 15000,
      currency: 'NGN',
      summary: { given: 6, duplicates: 1, payment_required: 3, not_found: 1, invalid: 1 },
    },
  })
  const { body } = await bulk(account, '/process-bulk-payment', list)
  expect(body).toMatchObject({ status: 'payment_initiated', amount_paid: 15000, currency: 'NGN' })
  expect(body.items).toEqual(numbers.map(certificate_number => ({ certificate_number, amount: 5000 })))
  expect(Object.keys(body.payment_data)).toContain('hash')
  expect((await bulk(account, '/process-bulk-payment', list)).body.transaction_id).toBe(body.transaction_id)

  await endPaymentAtGateway(body.payment_reference, '00')
  const status = await waitForStatus(account, body.transaction_id, 'paid')
  expect(status).toMatchObject({ amount_paid: 15000, message: '3 of 3 certificates verified.' })
  for (const item of status.items) {
    expect((await request('GET', `/letters/${item.letter.code}`)).body).toMatchObject({
      status: 'valid',
      certificate_number: item.certificate_number,
    })
  }
  const { body: history } = await call(account, 'GET', '/history')
  expect(history.counters).toEqual({ total: 3, successful: 3, not_found: 0 })
  expect(history.history.map((row: { amount_paid: number }) => row.amount_paid)).toEqual([5000, 5000, 5000])
  const secondReply = await bulk(account, '/verify-bulk', numbers)
  expect(secondReply.body).toMatchObject({ amount_due: 0, summary: { already_paid: 3 } })
  expect((await bulk(account, '/process-bulk-payment', numbers)).body.status).toBe('already_paid')
})

test.each([
  ['no list', undefined],
  ['an empty list', []],
  ['something else', 'UG/2019/00123'],
  ['numbers that are not text', [1, 2]],
  ['501 numbers', Array.from({ length: 501 }, (_, index) => `UG/2019/${index}00`)],
])('%s is refused, with the error at the field', async (_, list) => {
  const account = await newAccount()
  for (const path of ['/verify-bulk', '/process-bulk-payment']) {
    const { status, body } = await bulk(account, path, list)
    expect(status).toBe(400)
    expect(body.code).toBe('VALIDATION_ERROR')
    expect(Object.keys(body.fields)[0]).toMatch(/^certificate_numbers/)
  }
})

test('a declined bulk payment charges nothing and can be started again', async () => {
  const { account, numbers, id, reference } = await startPayment()
  await endPaymentAtGateway(reference, '51')
  expect(await waitForStatus(account, id, 'failed')).toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    items: [{ status: 'failed', letter: null }, { status: 'failed' }],
  })
  const { body } = await bulk(account, '/process-bulk-payment', numbers)
  expect(body.status).toBe('payment_initiated')
  expect(body.transaction_id).not.toBe(id)
})

test('shows a certificate by its ID only to an account that paid for it', {
  tags: ['SPEC-7.11'],
}, async () => {
  const { account, status } = await createPaidPayment()
  const [item] = status.items
  const path = `/certificate/${item.certificate_id}`
  expect(await call(account, 'GET', path)).toMatchObject({
    status: 200,
    body: {
      certificate: { id: item.certificate_id, certificate_number: item.certificate_number },
      letter: item.letter,
      transaction_id: status.transaction_id,
    },
  })
  for (const token of [(await newAccount()).token, await staffToken('admin')]) {
    expect(await call({ token }, 'GET', path)).toMatchObject({
      status: 404,
      body: { code: 'CERTIFICATE_NOT_FOUND' },
    })
  }
  expect((await request('GET', `/verification${path}`)).status).toBe(401)
})

test('requeries the caller’s own payments and, for admins, those of all; other payments are not found', {
  tags: ['QUALITY-15', 'SPEC-7.13'],
}, async () => {
  const { account, id, reference } = await startPayment()
  const check = (token: string) => call({ token }, 'POST', `/bpms/check/${id.toLowerCase()}`)
  expect(await check(account.token)).toMatchObject({ status: 200, body: { status: 'pending' } })
  expect((await check((await newAccount()).token)).body.code).toBe('TRANSACTION_NOT_FOUND')
  await endPaymentAtGateway(reference, '00')
  const response = await eventually(async () => {
    const { body } = await check(await staffToken('admin'))
    return body.status === 'paid' ? body : undefined
  }, 'the admin to see it paid')
  expect(response).toMatchObject({ transaction_id: id, amount_paid: 10000, resolution: 'verified' })
})

test('the status of a demo payment is read from the database, without a requery', async () => {
  const person = await signIn(personas.user.email, DEMO_PASSWORD)
  const past = await call(person, 'GET', '/transactions/search?status=FAILED')
  const { transaction_id: id } = past.body.transactions[0]
  expect(await call(person, 'POST', `/bpms/check/${id}`)).toMatchObject({
    status: 200,
    body: { status: 'failed' },
  })
})

test('requeries all of the caller’s pending payments in one call; staff have a separate call', {
  tags: ['SPEC-7.13'],
}, async () => {
  const { account, id } = await startPayment()
  const mine = await call(account, 'POST', '/bpms/check-all-pending')
  expect(mine).toMatchObject({ status: 200, body: { processed_count: 1, updated_count: 0 } })
  // Each payment is requeried at most once every 5 s.
  expect((await call(account, 'POST', '/bpms/check-all-pending')).body).toEqual({
    processed_count: 0,
    updated_count: 0,
  })
  expect((await call(await newAccount(), 'POST', '/bpms/check-all-pending')).body.processed_count).toBe(0)
  expect((await call(account, 'POST', '/admin/bulk-check')).status).toBe(403)
  const all = await call({ token: await staffToken('admin') }, 'POST', '/admin/bulk-check', {})
  expect(all.status).toBe(200)
  expect(all.body).toEqual({ processed_count: expect.any(Number), updated_count: expect.any(Number) })
  expect((await call(account, 'GET', `/payment-status/${id}`)).body.status).toBe('pending')
})

test('lists the caller’s own transactions, newest first, with the provider’s fields and filters', {
  tags: ['SPEC-7.14'],
}, async () => {
  const { account, numbers, id, reference, status } = await createPaidPayment()
  const other = await bulk(account, '/process-bulk-payment', await newNumbers(1))
  const search = async (query: string, token = account.token) =>
    (await call({ token }, 'GET', `/transactions/search?${query}`)).body
  const all = await search('')
  expect(all.count).toBe(2)
  expect(all.transactions[0].transaction_id).toBe(other.body.transaction_id)
  expect(all.transactions[1]).toEqual({
    transaction_id: id,
    transid: id,
    payment_reference: reference,
    regnum: numbers[0],
    items: 2,
    sname: account.lastname,
    fname: account.firstname,
    email: account.email,
    currency: 'NGN',
    amount_due: 10000,
    amount_paid: 10000,
    status: 'paid',
    status_desc: 'APPROVED',
    created_at: status.initiated_at,
    updated_at: expect.any(String),
  })
  const ids = async (query: string) =>
    (await search(query)).transactions.map(
      (transaction: { transaction_id: string }) => transaction.transaction_id,
    )
  expect(await ids('status=PAID')).toEqual([id])
  expect(await ids('status=pending')).toEqual([other.body.transaction_id])
  // The status filter finds the row by the status that the row shows.
  expect(await ids('status=APPROVED')).toEqual([id])
  expect(await ids('status=FAILED')).toEqual([])
  expect(await ids('status=EXPIRED')).toEqual([])
  expect(await ids(`transaction_id=${id.slice(0, 12).toLowerCase()}`)).toEqual([id])
  expect(await ids(`transaction_id=${reference}`)).toEqual([id])
  const today = status.initiated_at.slice(0, 10)
  expect(await ids(`date_from=${today}&date_to=${today}&status=&transaction_id=`)).toHaveLength(2)
  expect(await ids('date_to=2001-01-01')).toEqual([])
  expect(await search('limit=1')).toMatchObject({ count: 2, transactions: [{}] })
  expect((await call(account, 'GET', '/transactions/search?limit=0')).status).toBe(400)
  expect((await search('', (await newAccount()).token)).count).toBe(0)
  expect((await search(`transaction_id=${id}`, await staffToken('admin'))).transactions).toHaveLength(1)
})

test('shows the history of a payment, newest first, to its payer and to staff', {
  tags: ['SPEC-7.14'],
}, async () => {
  const { account, id } = await createPaidPayment()
  const logs = (token: string) => call({ token }, 'GET', `/transactions/${id}/logs`)
  const { body } = await logs(account.token)
  expect(body.transaction_id).toBe(id)
  const types = body.logs.map((event: { type: string }) => event.type)
  expect(types[0]).toBe('paid')
  expect(types.slice(-2)).toEqual(['pending', 'created'])
  expect(body.logs[0]).toMatchObject({ to_status: 'paid', amount: 10000, code: '00' })
  expect((await logs(await staffToken('admin'))).body).toEqual(body)
  expect((await logs((await newAccount()).token)).status).toBe(404)
})

test('public tracking of a bulk payment lists each certificate', async () => {
  const { numbers, id } = await createPaidPayment()
  const { body } = await request('GET', `/verification/public/payment-status/${id}`)
  expect(body).toMatchObject({
    status: 'paid',
    verification_status: 'success',
    certificate: null,
    items: numbers.map(certificate_number => ({ certificate_number, verification_status: 'success' })),
  })
})
