import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { findByNumber, insertCertificate } from '../certificates/store.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { consumeUpTo } from '../limits/limiter.ts'
import { limits } from '../limits/rules.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { syncWithGateway } from '../payments/sync.ts'
import type { Principal } from '../principal.ts'

/* Tests bulk verification through the whole app, with a stopped clock and a gateway that the test controls. */

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function newSignedInUser(): Promise<Principal & { token: string }> {
  const user = await setup.newUser()
  const sessionId = crypto.randomUUID()
  const issuedAt = setup.ports.time
  const expiresAt = issuedAt + 30 * 24 * HOUR
  await setup.database.write(tx =>
    insertSession(tx, { id: sessionId, userId: user.id, createdAt: issuedAt, expiresAt }),
  )
  const session = { userId: user.id, sessionId, role: 'user', issuedAt, expiresAt }
  return { ...user, token: await signToken(session, setup.ports.environment.JWT_SECRETS) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape and assert what they expect.
type Reply = { status: number; body: any; replayed: boolean }

async function call(
  method: string,
  path: string,
  { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
): Promise<Reply> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await app.fetch(new Request(`http://localhost:8080/api/verification${path}`, init), {
    peerAddress: '192.0.2.7',
  })
  const replayed = response.headers.get('idempotent-replayed') === 'true'
  return { status: response.status, body: await response.json(), replayed }
}

const check = (token: string, certificate_numbers: string[]) =>
  call('POST', '/verify-bulk', { token, body: { certificate_numbers } })
const pay = (token: string, certificate_numbers: string[], key?: string) =>
  call('POST', '/process-bulk-payment', { token, body: { certificate_numbers }, ...(key && { key }) })
const payOne = (token: string, certificate_number: string) =>
  call('POST', '/process-payment', { token, body: { certificate_number } })
const readStatus = (token: string, id: string, number = '') =>
  call('GET', `/check-verification-status/${id}?certificate_number=${encodeURIComponent(number)}`, { token })
const statuses = ({ body }: Reply) =>
  body.results.map((result: { status: string }) => result.status) as string[]
const unknownNumber = (turn: number) => `UG/1998/${String(turn).padStart(5, '0')}`
const newNumbers = (length: number) => Promise.all(Array.from({ length }, () => setup.newCertificate()))

test('lists each number once with its status, and states the amount due for those that need a payment', {
  tags: ['SPEC-7.12'],
}, async () => {
  const { token } = await newSignedInUser()
  const [a = '', b = '', c = ''] = await newNumbers(3)
  await setup.setFee(0)
  await payOne(token, a)
  await setup.setFee(500_000)
  const attempt = await payOne(token, b)
  const response = await check(token, [a, b, c, ` ${c.toLowerCase()} `, unknownNumber(1), 'no!', c])
  expect(response.body).toMatchObject({
    amount_due: 5000,
    currency: 'NGN',
    summary: {
      given: 7,
      duplicates: 2,
      total: 5,
      payment_required: 1,
      already_paid: 1,
      not_found: 1,
      invalid: 1,
      limited: 0,
      pending: 1,
    },
    results: [
      { certificate_number: a, status: 'already_paid', message: 'Certificate already verified' },
      { certificate_number: b, status: 'pending', transaction_id: attempt.body.transaction_id },
      { certificate_number: c, status: 'payment_required' },
      { certificate_number: unknownNumber(1), status: 'not_found' },
      { certificate_number: 'NO!', status: 'invalid', message: 'Please enter a valid certificate number.' },
    ],
  })
})

test('returns "limited" for misses beyond the allowance, and for all numbers after them', async () => {
  const { token } = await newSignedInUser()
  const [first = '', last = ''] = await newNumbers(2)
  const unknown = Array.from({ length: 22 }, (_, turn) => unknownNumber(turn))
  const response = await check(token, [first, ...unknown, last])
  expect(statuses(response)).toEqual([
    'payment_required',
    ...Array<string>(20).fill('not_found'),
    'limited',
    'limited',
    'limited',
  ])
  expect(response.body.amount_due).toBe(5000)
  expect(statuses(await check(token, [first, unknownNumber(99)]))).toEqual(['limited', 'limited'])
  expect(
    (await call('POST', '/check-certificate', { token, body: { certificate_number: first } })).status,
  ).toBe(429)
  expect((await pay(token, [first])).body).toMatchObject({ status: 'not_found', payment_reference: null })
  setup.ports.time += HOUR + MINUTE
  expect(statuses(await check(token, [first, last]))).toEqual(['payment_required', 'payment_required'])
})

test('500 numbers are paid for with one payment, and each gets a letter, in the requested order', {
  tags: ['SPEC-7.12'],
}, async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(500)
  const started = await pay(token, numbers)
  expect(started.body).toMatchObject({ status: 'payment_initiated', amount_paid: 2_500_000 })
  expect(started.body.items.map((item: { certificate_number: string }) => item.certificate_number)).toEqual(
    numbers,
  )
  expect(setup.gateway.orders).toMatchObject([
    { amount: { minor: 250_000_000 }, description: '500 certificates' },
  ])
  setup.gateway.setOutcome(started.body.payment_reference, 'succeeded')
  const { body } = await readStatus(token, started.body.transaction_id)
  expect(body).toMatchObject({
    status: 'paid',
    verification_status: 'success',
    resolution: 'verified',
    message: '500 of 500 certificates verified.',
    amount_due: 2_500_000,
    amount_paid: 2_500_000,
    certificate: null,
    letter: null,
    verification_template: null,
  })
  expect(body.items).toHaveLength(500)
  expect(new Set(body.items.map((item: { letter: { code: string } }) => item.letter.code)).size).toBe(500)
  const rows = await setup.readRows()
  expect(rows.letters).toHaveLength(500)
  expect(rows.payments).toHaveLength(1)
  expect(rows.ledger.reduce((sum, row) => sum + row.amountMinor, 0)).toBe(0)
  expect(rows.outbox).toHaveLength(1)
})

test('the certificates of one payment can have different outcomes', async () => {
  const { token } = await newSignedInUser()
  const [stays = '', goes = ''] = await newNumbers(2)
  const started = await pay(token, [stays, goes])
  await setup.removeCertificate(goes)
  setup.gateway.setOutcome(started.body.payment_reference, 'succeeded')
  const id = started.body.transaction_id
  const { body } = await readStatus(token, id)
  expect(body).toMatchObject({
    status: 'paid',
    verification_status: 'success',
    message: '1 of 2 certificates verified. Your payment for 1 will be refunded.',
    amount_paid: 10000,
    refund_due: 5000,
    refunded: 0,
    items: [
      { certificate_number: stays, resolution: 'verified', letter: { status: 'valid' } },
      { certificate_number: goes, resolution: 'refund_due', verification_status: 'not_found', letter: null },
    ],
  })
  const one = await readStatus(token, id, stays)
  expect(one.body).toMatchObject({
    certificate_number: stays,
    certificate: { certificate_number: stays },
    letter: body.items[0].letter,
    verification_template: { content: { certificate_details: { sn: '1' } } },
  })
  expect((await readStatus(token, id, unknownNumber(3))).body.code).toBe('CERTIFICATE_NOT_FOUND')

  const history = await call('GET', '/history', { token })
  expect(history.body.counters).toEqual({ total: 2, successful: 1, not_found: 1 })
  expect(history.body.history).toMatchObject([
    { certificate_number: goes, authentication_result: 'failed', amount_paid: 5000 },
    { certificate_number: stays, authentication_result: 'success', amount_paid: 5000 },
  ])
  expect((await call('GET', `/public/payment-status/${id}`)).body).toMatchObject({
    status: 'paid',
    certificate: null,
    items: [
      {
        certificate_number: stays,
        verification_status: 'success',
        certificate: { grade: expect.any(String) },
      },
      { certificate_number: goes, verification_status: 'not_found', certificate: null },
    ],
  })
})

/** Completes the refunds that are due, at most `limit` of them. */
async function completeRefunds(limit = Number.POSITIVE_INFINITY) {
  const actor = await setup.newUser()
  const approval = { actor, bankReference: 'FT-1', address: '192.0.2.7', requestId: 'r' }
  const due = (await setup.readRows()).refunds.filter(refund => refund.status === 'due')
  for (const { id } of due.slice(0, limit))
    await approveRefund(setup.ports, setup.database, { id, ...approval })
}

test('a partial refund does not affect results that were delivered', async () => {
  const { token } = await newSignedInUser()
  const [stays = '', goes = ''] = await newNumbers(2)
  const { body } = await pay(token, [stays, goes])
  await setup.removeCertificate(goes)
  setup.gateway.setOutcome(body.payment_reference, 'succeeded')
  await readStatus(token, body.transaction_id)
  await completeRefunds()
  expect((await readStatus(token, body.transaction_id)).body).toMatchObject({
    status: 'paid',
    message: '1 of 2 certificates verified. Your payment for 1 was refunded.',
    resolution: 'verified',
    refund_due: 0,
    refunded: 5000,
    items: [
      { resolution: 'verified', letter: { status: 'valid' } },
      { resolution: 'refunded', message: 'Your payment was refunded.' },
    ],
  })
  expect((await call('GET', '/history', { token })).body.history).toMatchObject([
    { certificate_number: goes, resolution: 'refunded', authentication_result: 'failed' },
    { certificate_number: stays, resolution: 'verified', authentication_result: 'success' },
  ])
  expect(statuses(await check(token, [stays, goes]))).toEqual(['already_paid', 'not_found'])
  const { statistics } = (await call('GET', '/statistics', { token })).body
  expect(statistics).toMatchObject({ successful_verifications: 1, total_amount_spent: 5000 })
})

test('a certificate that was paid for twice keeps its result when the second payment for it is refunded', async () => {
  const { token } = await newSignedInUser()
  const [twice = '', once = ''] = await newNumbers(2)
  const first = await payOne(token, twice)
  setup.gateway.setOutcome(first.body.payment_reference, 'expired')
  setup.ports.time += MINUTE
  await readStatus(token, first.body.transaction_id)
  const { body } = await pay(token, [twice, once])
  setup.gateway.setOutcome(first.body.payment_reference, 'succeeded')
  setup.gateway.setOutcome(body.payment_reference, 'succeeded')
  for (const { payment_reference: reference } of [first.body, body])
    await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const id = body.transaction_id
  expect((await readStatus(token, id)).body.items).toMatchObject([
    { resolution: 'refund_due', verification_status: 'success' },
    { resolution: 'verified', verification_status: 'success' },
  ])
  await completeRefunds()
  expect((await readStatus(token, id)).body).toMatchObject({
    message: '2 of 2 certificates verified. Your payment for 1 was refunded.',
    items: [
      {
        resolution: 'refunded',
        message: 'Certificate already verified. This second payment was refunded.',
        letter: { status: 'valid' },
      },
      { resolution: 'verified' },
    ],
  })
})

test('a bulk payment without a verified number has a refund due until each part is refunded', async () => {
  const { token } = await newSignedInUser()
  const [goes = '', remains = ''] = await newNumbers(2)
  const { body } = await pay(token, [goes, remains])
  await setup.removeCertificate(goes)
  await setup.removeCertificate(remains)
  setup.gateway.setOutcome(body.payment_reference, 'succeeded')
  const readPayment = async () => (await readStatus(token, body.transaction_id)).body
  expect(await readPayment()).toMatchObject({ status: 'paid', resolution: 'refund_due', refund_due: 10000 })
  await completeRefunds(1)
  const afterHalf = await readPayment()
  expect(afterHalf).toMatchObject({ resolution: 'refund_due', refund_due: 5000, refunded: 5000 })
  expect(afterHalf.message).toBe(
    '0 of 2 certificates verified. Your payment for 1 will be refunded. Your payment for 1 was refunded.',
  )
  await completeRefunds()
  expect(await readPayment()).toMatchObject({ status: 'paid', resolution: 'refunded', refund_due: 0 })
})

test('the same list continues the same attempt, and only new numbers are charged', async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(3)
  const first = await pay(token, numbers.slice(0, 2))
  const secondReply = await pay(token, numbers.slice(0, 2))
  expect(secondReply.body).toEqual(first.body)
  const more = await pay(token, numbers)
  expect(more.body).toMatchObject({ amount_paid: 5000, items: [{ certificate_number: numbers[2] }] })
  expect(statuses(more)).toEqual(['pending', 'pending', 'payment_required'])
  expect(setup.gateway.orders).toHaveLength(2)
  // Two parallel tabs get the same attempt.
  const other = await newSignedInUser()
  const replies = await Promise.all([pay(other.token, numbers), pay(other.token, numbers)])
  expect(replies[0].body.transaction_id).toBe(replies[1].body.transaction_id)
})

test('an expired attempt is ended first, and its numbers can then be paid for again', async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(2)
  const first = await pay(token, numbers)
  setup.ports.time += 31 * MINUTE
  expect(statuses(await check(token, numbers))).toEqual(['payment_required', 'payment_required'])
  const second = await pay(token, numbers)
  expect(second.body).toMatchObject({ status: 'payment_initiated', amount_paid: 10000 })
  expect(second.body.transaction_id).not.toBe(first.body.transaction_id)
  // If both are paid, one is delivered, and a refund of the other is due.
  for (const { body } of [second, first]) setup.gateway.setOutcome(body.payment_reference, 'succeeded')
  setup.ports.time += 6000
  expect((await readStatus(token, second.body.transaction_id)).body).toMatchObject({ resolution: 'verified' })
  expect((await readStatus(token, first.body.transaction_id)).body).toMatchObject({
    status: 'paid',
    resolution: 'refund_due',
    refund_due: 10000,
  })
})

test('an idempotency key belongs to its list of numbers, and never charges twice', async () => {
  await setup.setPolicy('charge')
  const { token } = await newSignedInUser()
  const knownCertificate = await setup.newCertificate()
  const numbers = [knownCertificate, unknownNumber(1)]
  const first = await pay(token, numbers, 'key-1')
  expect(first.replayed).toBe(false)
  expect(await pay(token, [...numbers].reverse(), 'key-1')).toMatchObject({
    body: { transaction_id: first.body.transaction_id },
    replayed: true,
  })
  expect(await pay(token, [knownCertificate], 'key-1')).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_MISMATCH' },
  })
  setup.gateway.setOutcome(first.body.payment_reference, 'succeeded')
  expect((await readStatus(token, first.body.transaction_id)).body).toMatchObject({
    message: '1 of 2 certificates verified. 1 not found in database.',
  })
  // The unknown number could be requested again, but not with the same key.
  expect((await pay(token, numbers, 'key-1')).body.transaction_id).toBe(first.body.transaction_id)
  expect(await pay(token, numbers, 'key-2')).toMatchObject({ body: { amount_paid: 5000 }, replayed: false })
  expect(setup.gateway.orders).toHaveLength(2)
})

test('reveals nothing before payment under the policy charge', async () => {
  await setup.setPolicy('charge')
  const { token } = await newSignedInUser()
  const knownCertificate = await setup.newCertificate()
  const unknown = Array.from({ length: 25 }, (_, turn) => unknownNumber(turn))
  expect(new Set(statuses(await check(token, [knownCertificate, ...unknown])))).toEqual(
    new Set(['payment_required']),
  )
})

test('without a fee, the response is already_paid, and the gateway is not called', async () => {
  await setup.setFee(0)
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(3)
  const { body } = await pay(token, [...numbers, unknownNumber(1)])
  expect(body).toMatchObject({
    status: 'already_paid',
    amount_paid: null,
    summary: { already_paid: 3, not_found: 1 },
  })
  expect(setup.gateway.orders).toHaveLength(0)
  expect((await readStatus(token, body.transaction_id)).body.items).toMatchObject(
    numbers.map(certificate_number => ({ certificate_number, letter: { status: 'valid' } })),
  )
  expect((await pay(token, [unknownNumber(2)])).body).toMatchObject({ status: 'not_found' })
})

test('20 parallel syncs cause one transition to paid and one letter for each number, and the ledger adds up', {
  tags: ['QUALITY-24'],
}, async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(3)
  const { body } = await pay(token, numbers)
  setup.gateway.setOutcome(body.payment_reference, 'succeeded')
  const { ports, database } = setup
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      syncWithGateway(
        ports,
        database,
        { reference: body.payment_reference },
        turn % 2 === 0 ? 'webhook' : 'user',
      ),
    ),
  )
  const rows = await setup.readRows()
  expect(rows.events.filter(event => event.type === 'paid')).toHaveLength(1)
  expect(rows.fulfilments).toHaveLength(3)
  expect(rows.letters).toHaveLength(3)
  expect(rows.items.every(item => item.open === 0)).toBe(true)
  expect(rows.ledger.reduce((sum, row) => sum + row.amountMinor, 0)).toBe(0)
})

test('the scheduler syncs a bulk payment whose payer never returned', async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(4)
  const started = await pay(token, numbers)
  setup.gateway.setOutcome(started.body.payment_reference, 'succeeded')
  setup.ports.time += MINUTE
  await runScheduledJobs(setup.ports, setup.database)
  expect((await setup.readRows()).fulfilments).toHaveLength(4)
  const mail = (await setup.readRows()).outbox
  expect(mail).toHaveLength(1)
})

test('if the gateway refuses a payment, no one is charged, and the next attempt is a new payment', async () => {
  const { token } = await newSignedInUser()
  const numbers = await newNumbers(2)
  const proceed = setup.gateway.onInitiate
  setup.gateway.onInitiate = async () => {
    throw new Error('500')
  }
  expect(await pay(token, numbers)).toMatchObject({ status: 503, body: { code: 'GATEWAY_UNAVAILABLE' } })
  setup.gateway.onInitiate = proceed
  setup.ports.time += MINUTE
  expect((await pay(token, numbers)).body.status).toBe('payment_initiated')
})

test('attempts that the gateway refuses or does not answer count towards the limit of attempts', async () => {
  const starts = limits.payment_starts.max
  const { token, id } = await newSignedInUser()
  const [one = '', open = '', ...more] = await newNumbers(4)
  const attempt = (await payOne(token, open)).body
  await consumeUpTo({ db: setup.database, ports: setup.ports }, 'payment_starts', id, starts - 3)
  setup.gateway.onInitiate = async () => {
    throw new GatewayRefusal('no')
  }
  expect((await payOne(token, one)).body.code).toBe('GATEWAY_UNAVAILABLE')
  setup.gateway.onInitiate = async () => {
    throw new Error('500')
  }
  expect((await pay(token, more)).body.code).toBe('GATEWAY_UNAVAILABLE')
  const orders = setup.gateway.orders.length
  expect(await payOne(token, one)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  // Attempts that are already open can be continued despite the limit.
  expect((await payOne(token, open)).body).toEqual(attempt)
  expect(setup.gateway.orders).toHaveLength(orders)
})

test('after a certificate is withdrawn, one entered under the same number can be verified again', {
  tags: ['FAULT-28'],
}, async () => {
  const user = await newSignedInUser()
  const number = await setup.newCertificate()
  const first = await payOne(user.token, number)
  setup.gateway.setOutcome(first.body.payment_reference, 'succeeded')
  await readStatus(user.token, first.body.transaction_id)
  const checkOne = () =>
    call('POST', '/check-certificate', { token: user.token, body: { certificate_number: number } })
  expect((await checkOne()).body.status).toBe('already_paid')

  const row = await findByNumber(setup.database.read, { certificateNumber: number })
  if (!row) throw new Error('no certificate')
  await setup.removeCertificate(number)
  expect((await checkOne()).body.code).toBe('CERTIFICATE_NOT_FOUND')
  setup.ports.time += MINUTE
  const { deletedAt: _, seq: __, folded: ___, ...fields } = row
  const at = setup.ports.time
  await setup.database.write(tx =>
    insertCertificate(tx, {
      ...fields,
      id: crypto.randomUUID(),
      grade: 'Pass',
      uploadedAt: at,
      updatedAt: at,
    }),
  )
  expect((await checkOne()).body.status).toBe('payment_required')
  expect(statuses(await check(user.token, [number]))).toEqual(['payment_required'])
  const second = await payOne(user.token, number)
  expect(second.body.status).toBe('payment_initiated')
  setup.gateway.setOutcome(second.body.payment_reference, 'succeeded')
  expect((await readStatus(user.token, second.body.transaction_id)).body).toMatchObject({
    resolution: 'verified',
    certificate: { grade: 'Pass' },
    letter: { status: 'valid' },
  })
  expect((await readStatus(user.token, first.body.transaction_id)).body).toMatchObject({
    status: 'paid',
    certificate: { grade: row.grade },
    letter: { status: 'withdrawn' },
  })
  const history = await call('GET', '/history', { token: user.token })
  expect(history.body.counters).toEqual({ total: 2, successful: 2, not_found: 0 })
})
