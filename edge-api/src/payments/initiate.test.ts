import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { recount } from '../../test/recount.ts'
import { notifications } from '../db/schema/accounts.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import type { Started } from './initiate.ts'
import { syncWithGateway } from './sync.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const MINUTE = 60_000

function initiated(started: Started) {
  if (started.kind !== 'initiated') throw new Error(`not initiated: ${started.kind}`)
  return started
}

async function pair() {
  return { user: await bench.newUser(), number: await bench.newCertificate() }
}

test('a start writes its rows first, then calls the gateway, once', async () => {
  const { user, number } = await pair()
  bench.gateway.onInitiate = async (order, proceed) => {
    const { payments } = await bench.rows()
    expect(payments).toMatchObject([{ status: 'created', providerReference: order.reference }])
    return proceed()
  }
  const { payment, paymentUrl } = initiated(await bench.start(user, number))
  expect(paymentUrl).toBe('https://gateway.test/pay')
  expect(payment.transactionId).toMatch(/^CVF[0-9A-HJKMNP-TV-Z]{21}$/)
  expect(payment.providerReference).toMatch(/^[0-9A-Z]{15}$/)
  expect(bench.gateway.orders).toMatchObject([
    {
      amount: { minor: 500_000, currency: 'NGN' },
      description: number,
      idempotencyKey: payment.transactionId,
    },
  ])
  const { events } = await bench.rows()
  expect(events.map(event => event.type)).toEqual(['created', 'pending'])
})

/** A gateway that is started with a form that we sign; only database writes are counted. */
function signForms() {
  Object.assign(bench.gateway, { isSignedForm: true })
  const { write } = bench.database
  let writes = 0
  bench.database.write = work => {
    writes++
    return write(work)
  }
  return () => writes
}

test('an attempt at a gateway with signed forms is written with its form, in one transaction', async () => {
  const { user, number } = await pair()
  const writes = signForms()
  const { payment, paymentUrl } = initiated(await bench.start(user, number))
  expect(writes()).toBe(1)
  expect(bench.gateway.orders).toMatchObject([
    { reference: payment.providerReference, idempotencyKey: payment.transactionId, description: number },
  ])
  const { payments, items, events } = await bench.rows()
  expect(payments).toEqual([payment])
  expect(payment).toMatchObject({
    status: 'pending',
    paymentUrl,
    paymentFields: { reference: payment.providerReference },
    expiresAt: bench.ports.time + 30 * MINUTE,
  })
  expect(payment.nextRequeryAt).toBeGreaterThan(bench.ports.time)
  expect(payment.nextRequeryAt).toBeLessThan(bench.ports.time + MINUTE)
  expect(items).toMatchObject([{ open: 1, result: 'pending' }])
  expect(events).toMatchObject([
    { type: 'created', fromStatus: null, toStatus: 'created', actorId: user.id, amountMinor: 500_000 },
    { type: 'pending', fromStatus: 'created', toStatus: 'pending' },
  ])
  expect(initiated(await bench.start(user, number)).payment.id).toBe(payment.id)
  expect(bench.gateway.orders).toHaveLength(1)

  bench.gateway.end(payment.providerReference, 'succeeded')
  await syncWithGateway(bench.ports, bench.database, { transactionId: payment.transactionId }, 'webhook')
  expect((await bench.start(user, number)).kind).toBe('already_paid')
  expect(await recount(bench.database.client)).toEqual([])
})

test('a form that cannot be signed is a refused attempt, as at a gateway that is called', async () => {
  const { user, number } = await pair()
  signForms()
  bench.gateway.onInitiate = async () => {
    throw new GatewayRefusal('the reference is too long')
  }
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const { payments, events } = await bench.rows()
  expect(payments).toMatchObject([{ status: 'failed', nextRequeryAt: null, paymentUrl: null }])
  expect(events.map(event => event.type)).toEqual(['created', 'failed'])
  expect(await recount(bench.database.client)).toEqual([])
})

test('fault 25: ten parallel starts create one open attempt and one order', {
  tags: ['QUALITY-25', 'FAULT-25'],
}, async () => {
  const { user, number } = await pair()
  const all = await Promise.all(Array.from({ length: 10 }, () => bench.start(user, number)))
  expect(new Set(all.map(started => initiated(started).payment.transactionId)).size).toBe(1)
  expect(bench.gateway.orders).toHaveLength(1)
  expect((await bench.rows()).payments).toHaveLength(1)
})

test('the same key again is the same attempt; the key with another number is refused', async () => {
  const { user, number } = await pair()
  const first = initiated(await bench.start(user, number, { idempotencyKey: 'key-1' }))
  const again = initiated(await bench.start(user, number, { idempotencyKey: 'key-1' }))
  expect(again.payment.id).toBe(first.payment.id)
  const other = await bench.newCertificate()
  await expect(bench.start(user, other, { idempotencyKey: 'key-1' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  })
  // Keys belong to their account.
  initiated(await bench.start(await bench.newUser(), other, { idempotencyKey: 'key-1' }))
})

test('the same key after a decline returns the same attempt; a new key starts a new one', async () => {
  const { user, number } = await pair()
  const first = initiated(await bench.start(user, number, { idempotencyKey: 'key-1' })).payment
  bench.gateway.end(first.providerReference, 'failed')
  await syncWithGateway(bench.ports, bench.database, { transactionId: first.transactionId }, 'webhook')
  expect(initiated(await bench.start(user, number, { idempotencyKey: 'key-1' })).payment.id).toBe(first.id)
  expect(initiated(await bench.start(user, number, { idempotencyKey: 'key-2' })).payment.id).not.toBe(
    first.id,
  )
})

test('a refusal creates nothing at the gateway, charges no one, and the next start is a new attempt', async () => {
  const { user, number } = await pair()
  bench.gateway.onInitiate = async () => {
    throw new GatewayRefusal('422')
  }
  const refused = bench.start(user, number, { idempotencyKey: 'key-1' })
  await expect(refused).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect((await bench.rows()).payments).toMatchObject([{ status: 'failed', nextRequeryAt: null }])
  expect(bench.gateway.requeries).toBe(0)
  bench.gateway.onInitiate = async (_, proceed) => proceed()
  // A key whose attempt was never created can be used again.
  initiated(await bench.start(user, number, { idempotencyKey: 'key-1' }))
})

test('fault 1: the start times out but the charge exists: unknown, never started again, synced when paid', {
  tags: ['FAULT-1'],
}, async () => {
  const { user, number } = await pair()
  bench.gateway.onInitiate = async (_, proceed) => {
    proceed()
    throw new DOMException('late', 'TimeoutError')
  }
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const [payment] = (await bench.rows()).payments
  expect(payment).toMatchObject({ status: 'unknown', requeries: 1 })
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect(bench.gateway.orders).toHaveLength(1)

  bench.gateway.end(payment?.providerReference ?? '', 'succeeded')
  expect((await bench.start(user, number)).kind).toBe('already_paid')
  expect((await bench.rows()).letters).toHaveLength(1)
})

test('fault 2: the start answers 500 and there is no payment: two answers "not found" allow a new attempt', {
  tags: ['FAULT-2'],
}, async () => {
  const { user, number } = await pair()
  bench.gateway.onInitiate = async () => {
    throw new Error('500')
  }
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect((await bench.rows()).payments).toMatchObject([{ status: 'unknown', notFoundAnswers: 1 }])
  bench.gateway.onInitiate = async (_, proceed) => proceed()
  initiated(await bench.start(user, number))
  const { payments } = await bench.rows()
  expect(payments.map(payment => payment.status).sort()).toEqual(['expired', 'pending'])
})

test('an expired attempt is requeried once more: replaced by a new one, or found paid', async () => {
  const { user, number } = await pair()
  const first = initiated(await bench.start(user, number)).payment
  bench.ports.time += 31 * MINUTE
  const second = initiated(await bench.start(user, number)).payment
  expect(second.id).not.toBe(first.id)
  bench.ports.time += 31 * MINUTE
  bench.gateway.end(second.providerReference, 'succeeded')
  expect((await bench.start(user, number)).kind).toBe('already_paid')
  const { payments } = await bench.rows()
  expect(payments.map(payment => payment.status)).toEqual(['expired', 'paid'])
})

test('an attempt past its deadline that is in progress at the gateway stays open', async () => {
  const { user, number } = await pair()
  const first = initiated(await bench.start(user, number)).payment
  bench.gateway.end(first.providerReference, 'processing')
  bench.ports.time += 31 * MINUTE
  expect(initiated(await bench.start(user, number)).payment.id).toBe(first.id)
})

test.each(['unknown', 'reversed', 'pending', 'not_found'] as const)(
  'an expired attempt that the gateway reports as "%s" does not lock its certificate, in progress before or not',
  async outcome => {
    for (const before of [undefined, 'processing'] as const) {
      const { user, number } = await pair()
      const first = initiated(await bench.start(user, number)).payment
      const key = { transactionId: first.transactionId }
      if (before) bench.gateway.end(first.providerReference, before)
      await syncWithGateway(bench.ports, bench.database, key, 'webhook')
      bench.gateway.end(first.providerReference, outcome)
      bench.ports.time = first.expiresAt + 1
      const second = initiated(await bench.start(user, number)).payment
      expect(second.id).not.toBe(first.id)

      // Both are paid in the end: one letter, and a refund of the other is due.
      for (const { providerReference: reference } of [first, second]) {
        bench.gateway.end(reference, 'succeeded')
        await syncWithGateway(bench.ports, bench.database, { reference }, 'webhook')
      }
      const { payments, refunds } = await bench.rows()
      const ids = [first.id, second.id]
      const resolutions = payments.filter(({ id }) => ids.includes(id)).map(each => each.resolution)
      expect(resolutions.toSorted()).toEqual(['refund_due', 'verified'])
      expect(refunds.filter(({ paymentId }) => ids.includes(paymentId))).toMatchObject([
        { reason: 'duplicate', amountMinor: 500_000, status: 'due' },
      ])
    }
  },
)

test('staff are notified once of an attempt that expired while the gateway’s answer was not understood', async () => {
  const boss = await bench.newUser('super_admin')
  const { reference, transactionId } = await bench.newPayment()
  bench.gateway.end(reference, 'unknown', { code: 'X9' })
  bench.ports.time += 31 * 60_000
  for (let times = 0; times < 3; times++)
    await syncWithGateway(bench.ports, bench.database, { transactionId }, 'scheduler')
  const notices = await bench.database.read.select().from(notifications)
  expect(notices.filter(({ userId }) => userId === boss.id)).toMatchObject([
    { kind: 'refund_trouble', body: expect.stringContaining('Check at the gateway') },
  ])
})

test("another payment's transaction does not keep an attempt open beyond its time", async () => {
  const paid = await bench.newPayment()
  bench.gateway.end(paid.reference, 'succeeded')
  await syncWithGateway(bench.ports, bench.database, { reference: paid.reference }, 'webhook')
  const { user, number, reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded', { providerTxnId: `TXN-${paid.reference}` })
  bench.ports.time += 31 * 60_000
  expect(initiated(await bench.start(user, number)).payment.providerReference).not.toBe(reference)
})

test('an amount below the minimum of the gateway is refused before the gateway is called; free stays free', async () => {
  const { user, number } = await pair()
  bench.ports.environment = { ...bench.ports.environment, PAYMENT_MINIMUM_AMOUNT: 50 }
  await bench.setFee(4999)
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'FEE_BELOW_MINIMUM' })
  expect(bench.gateway.orders).toEqual([])
  expect((await bench.rows()).payments).toEqual([])
  expect(bench.ports.lines).toContainEqual(expect.objectContaining({ event: 'fee_below_minimum' }))
  await bench.setFee(5000)
  initiated(await bench.start(user, number))
  await bench.setFee(0)
  expect(await bench.start(user, await bench.newCertificate())).toMatchObject({ kind: 'already_paid' })
})

test("uses the gateway's published minimum without a setting; 0 means no minimum", async () => {
  const { user, number } = await pair()
  Object.assign(bench.gateway, { minimumMinor: 5000 })
  await bench.setFee(4999)
  await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'FEE_BELOW_MINIMUM' })
  bench.ports.environment = { ...bench.ports.environment, PAYMENT_MINIMUM_AMOUNT: 0 }
  initiated(await bench.start(user, number))
})

test('the attempt never lives longer than the gateway allows', async () => {
  const { user, number } = await pair()
  const expiresAt = new Date(bench.ports.time + 10 * MINUTE)
  bench.gateway.onInitiate = async (_, proceed) => ({ ...proceed(), expiresAt })
  expect(initiated(await bench.start(user, number)).payment.expiresAt).toBe(expiresAt.getTime())
})

test('verifies immediately, without the gateway, when the fee is 0', { tags: ['INVARIANT-3'] }, async () => {
  await bench.setFee(0)
  const { user, number } = await pair()
  const started = await bench.start(user, number)
  expect(started).toMatchObject({ kind: 'already_paid', fulfilment: { outcome: 'verified' } })
  expect(bench.gateway.orders).toEqual([])
  const rows = await bench.rows()
  expect(rows.payments).toMatchObject([{ status: 'paid', resolution: 'verified', amountPaidMinor: 0 }])
  expect(rows.letters).toHaveLength(1)
  expect([rows.ledger, rows.refunds]).toEqual([[], []])
})

test('the database itself allows one open attempt per user and number', {
  tags: ['QUALITY-25', 'INVARIANT-5'],
}, async () => {
  const { user, number } = await pair()
  const { payment } = initiated(await bench.start(user, number))
  const second = bench.database.client.execute({
    sql: `insert into payment_items (id, payment_id, user_id, certificate_number, amount_minor, created_at, open,
        result, result_at, tally) values ('second', ?, ?, ?, 1, 1, 1, 'pending', 1, 'none')`,
    args: [payment.id, user.id, number],
  })
  await expect(second).rejects.toThrow(/UNIQUE/)
})
