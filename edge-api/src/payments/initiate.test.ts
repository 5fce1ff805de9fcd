import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { notifications } from '../db/schema/accounts.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import type { StartResult } from './initiate.ts'
import { syncWithGateway } from './sync.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const MINUTE = 60_000

function requireInitiated(result: StartResult) {
  if (result.kind !== 'initiated') throw new Error(`not initiated: ${result.kind}`)
  return result
}

async function newUserAndCertificate() {
  return { user: await setup.newUser(), number: await setup.newCertificate() }
}

test('a new attempt is stored before the gateway is called, and the gateway is called once', async () => {
  const { user, number } = await newUserAndCertificate()
  setup.gateway.onInitiate = async (order, proceed) => {
    const { payments } = await setup.readRows()
    expect(payments).toMatchObject([{ status: 'created', providerReference: order.reference }])
    return proceed()
  }
  const { payment, paymentUrl } = requireInitiated(await setup.startPayment(user, number))
  expect(paymentUrl).toBe('https://gateway.test/pay')
  expect(payment.transactionId).toMatch(/^CVF[0-9A-HJKMNP-TV-Z]{21}$/)
  expect(payment.providerReference).toMatch(/^[0-9A-Z]{15}$/)
  expect(setup.gateway.orders).toMatchObject([
    {
      amount: { minor: 500_000, currency: 'NGN' },
      description: number,
      idempotencyKey: payment.transactionId,
    },
  ])
  const { events } = await setup.readRows()
  expect(events.map(event => event.type)).toEqual(['created', 'pending'])
})

/** Makes the gateway use forms that the portal signs. Returns a function that counts the database writes since then. */
function useSignedForms() {
  Object.assign(setup.gateway, { isSignedForm: true })
  const { write } = setup.database
  let writes = 0
  setup.database.write = work => {
    writes++
    return write(work)
  }
  return () => writes
}

test('an attempt at a gateway with signed forms is stored together with its form, in one transaction', async () => {
  const { user, number } = await newUserAndCertificate()
  const countWrites = useSignedForms()
  const { payment, paymentUrl } = requireInitiated(await setup.startPayment(user, number))
  expect(countWrites()).toBe(1)
  expect(setup.gateway.orders).toMatchObject([
    { reference: payment.providerReference, idempotencyKey: payment.transactionId, description: number },
  ])
  const { payments, items, events } = await setup.readRows()
  expect(payments).toEqual([payment])
  expect(payment).toMatchObject({
    status: 'pending',
    paymentUrl,
    paymentFields: { reference: payment.providerReference },
    expiresAt: setup.ports.time + 30 * MINUTE,
  })
  expect(payment.nextRequeryAt).toBeGreaterThan(setup.ports.time)
  expect(payment.nextRequeryAt).toBeLessThan(setup.ports.time + MINUTE)
  expect(items).toMatchObject([{ open: 1, result: 'pending' }])
  expect(events).toMatchObject([
    { type: 'created', fromStatus: null, toStatus: 'created', actorId: user.id, amountMinor: 500_000 },
    { type: 'pending', fromStatus: 'created', toStatus: 'pending' },
  ])
  expect(requireInitiated(await setup.startPayment(user, number)).payment.id).toBe(payment.id)
  expect(setup.gateway.orders).toHaveLength(1)

  setup.gateway.setOutcome(payment.providerReference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { transactionId: payment.transactionId }, 'webhook')
  expect((await setup.startPayment(user, number)).kind).toBe('already_paid')
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('an attempt whose form cannot be signed fails like one that the gateway refuses', async () => {
  const { user, number } = await newUserAndCertificate()
  useSignedForms()
  setup.gateway.onInitiate = async () => {
    throw new GatewayRefusal('the reference is too long')
  }
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const { payments, events } = await setup.readRows()
  expect(payments).toMatchObject([{ status: 'failed', nextRequeryAt: null, paymentUrl: null }])
  expect(events.map(event => event.type)).toEqual(['created', 'failed'])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('fault 25: ten parallel requests to pay create one open attempt and one order at the gateway', {
  tags: ['QUALITY-25', 'FAULT-25'],
}, async () => {
  const { user, number } = await newUserAndCertificate()
  const results = await Promise.all(Array.from({ length: 10 }, () => setup.startPayment(user, number)))
  expect(new Set(results.map(started => requireInitiated(started).payment.transactionId)).size).toBe(1)
  expect(setup.gateway.orders).toHaveLength(1)
  expect((await setup.readRows()).payments).toHaveLength(1)
})

test('an idempotency key returns the same attempt when repeated, but is refused with another certificate number', async () => {
  const { user, number } = await newUserAndCertificate()
  const first = requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-1' }))
  const repeated = requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-1' }))
  expect(repeated.payment.id).toBe(first.payment.id)
  const otherNumber = await setup.newCertificate()
  await expect(setup.startPayment(user, otherNumber, { idempotencyKey: 'key-1' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  })
  // The same key can be used by another account.
  requireInitiated(await setup.startPayment(await setup.newUser(), otherNumber, { idempotencyKey: 'key-1' }))
})

test('after a decline, the same key returns the same attempt and a new key starts a new one', async () => {
  const { user, number } = await newUserAndCertificate()
  const first = requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-1' })).payment
  setup.gateway.setOutcome(first.providerReference, 'failed')
  await syncWithGateway(setup.ports, setup.database, { transactionId: first.transactionId }, 'webhook')
  expect(
    requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-1' })).payment.id,
  ).toBe(first.id)
  expect(
    requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-2' })).payment.id,
  ).not.toBe(first.id)
})

test('a refusal by the gateway creates no payment there and charges no one, and a new attempt can follow', async () => {
  const { user, number } = await newUserAndCertificate()
  setup.gateway.onInitiate = async () => {
    throw new GatewayRefusal('422')
  }
  const refused = setup.startPayment(user, number, { idempotencyKey: 'key-1' })
  await expect(refused).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect((await setup.readRows()).payments).toMatchObject([{ status: 'failed', nextRequeryAt: null }])
  expect(setup.gateway.requeries).toBe(0)
  setup.gateway.onInitiate = async (_, proceed) => proceed()
  // A key whose attempt was refused can be used again.
  requireInitiated(await setup.startPayment(user, number, { idempotencyKey: 'key-1' }))
})

test('fault 1: an attempt that times out although the charge exists is never repeated, and its payment is unknown until synced as paid', {
  tags: ['FAULT-1'],
}, async () => {
  const { user, number } = await newUserAndCertificate()
  setup.gateway.onInitiate = async (_, proceed) => {
    proceed()
    throw new DOMException('late', 'TimeoutError')
  }
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const [payment] = (await setup.readRows()).payments
  expect(payment).toMatchObject({ status: 'unknown', requeries: 1 })
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect(setup.gateway.orders).toHaveLength(1)

  setup.gateway.setOutcome(payment?.providerReference ?? '', 'succeeded')
  expect((await setup.startPayment(user, number)).kind).toBe('already_paid')
  expect((await setup.readRows()).letters).toHaveLength(1)
})

test('fault 2: after an attempt that fails with 500 and creates no charge, two "not found" answers allow a new attempt', {
  tags: ['FAULT-2'],
}, async () => {
  const { user, number } = await newUserAndCertificate()
  setup.gateway.onInitiate = async () => {
    throw new Error('500')
  }
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  expect((await setup.readRows()).payments).toMatchObject([{ status: 'unknown', notFoundAnswers: 1 }])
  setup.gateway.onInitiate = async (_, proceed) => proceed()
  requireInitiated(await setup.startPayment(user, number))
  const { payments } = await setup.readRows()
  expect(payments.map(payment => payment.status).sort()).toEqual(['expired', 'pending'])
})

test('an expired attempt is requeried once more, and then either replaced by a new one or found to be paid', async () => {
  const { user, number } = await newUserAndCertificate()
  const first = requireInitiated(await setup.startPayment(user, number)).payment
  setup.ports.time += 31 * MINUTE
  const second = requireInitiated(await setup.startPayment(user, number)).payment
  expect(second.id).not.toBe(first.id)
  setup.ports.time += 31 * MINUTE
  setup.gateway.setOutcome(second.providerReference, 'succeeded')
  expect((await setup.startPayment(user, number)).kind).toBe('already_paid')
  const { payments } = await setup.readRows()
  expect(payments.map(payment => payment.status)).toEqual(['expired', 'paid'])
})

test('an attempt past its deadline stays open while it is in progress at the gateway', async () => {
  const { user, number } = await newUserAndCertificate()
  const first = requireInitiated(await setup.startPayment(user, number)).payment
  setup.gateway.setOutcome(first.providerReference, 'processing')
  setup.ports.time += 31 * MINUTE
  expect(requireInitiated(await setup.startPayment(user, number)).payment.id).toBe(first.id)
})

test.each(['unknown', 'reversed', 'pending', 'not_found'] as const)(
  'an expired attempt that the gateway reports as "%s" does not block a new one, whether or not it was in progress',
  async outcome => {
    for (const earlierOutcome of [undefined, 'processing'] as const) {
      const { user, number } = await newUserAndCertificate()
      const first = requireInitiated(await setup.startPayment(user, number)).payment
      const key = { transactionId: first.transactionId }
      if (earlierOutcome) setup.gateway.setOutcome(first.providerReference, earlierOutcome)
      await syncWithGateway(setup.ports, setup.database, key, 'webhook')
      setup.gateway.setOutcome(first.providerReference, outcome)
      setup.ports.time = first.expiresAt + 1
      const second = requireInitiated(await setup.startPayment(user, number)).payment
      expect(second.id).not.toBe(first.id)

      // If both are paid in the end, there is one letter, and a refund of the other payment is due.
      for (const { providerReference: reference } of [first, second]) {
        setup.gateway.setOutcome(reference, 'succeeded')
        await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
      }
      const { payments, refunds } = await setup.readRows()
      const ids = [first.id, second.id]
      const resolutions = payments.filter(({ id }) => ids.includes(id)).map(item => item.resolution)
      expect(resolutions.toSorted()).toEqual(['refund_due', 'verified'])
      expect(refunds.filter(({ paymentId }) => ids.includes(paymentId))).toMatchObject([
        { reason: 'duplicate', amountMinor: 500_000, status: 'due' },
      ])
    }
  },
)

test('staff are notified once of an attempt that expired while the gateway’s answers could not be understood', async () => {
  const superAdmin = await setup.newUser('super_admin')
  const { reference, transactionId } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'unknown', { code: 'X9' })
  setup.ports.time += 31 * 60_000
  for (let times = 0; times < 3; times++)
    await syncWithGateway(setup.ports, setup.database, { transactionId }, 'scheduler')
  const notices = await setup.database.read.select().from(notifications)
  expect(notices.filter(({ userId }) => userId === superAdmin.id)).toMatchObject([
    { kind: 'refund_trouble', body: expect.stringContaining('Check at the gateway') },
  ])
})

test('the transaction of another payment does not keep an attempt open beyond its deadline', async () => {
  const paid = await setup.newPayment()
  setup.gateway.setOutcome(paid.reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference: paid.reference }, 'webhook')
  const { user, number, reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded', { providerTxnId: `TXN-${paid.reference}` })
  setup.ports.time += 31 * 60_000
  expect(requireInitiated(await setup.startPayment(user, number)).payment.providerReference).not.toBe(
    reference,
  )
})

test('an amount below the minimum of the gateway is refused before the gateway is called, but 0 is still free', async () => {
  const { user, number } = await newUserAndCertificate()
  setup.ports.environment = { ...setup.ports.environment, PAYMENT_MINIMUM_AMOUNT: 50 }
  await setup.setFee(4999)
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'FEE_BELOW_MINIMUM' })
  expect(setup.gateway.orders).toEqual([])
  expect((await setup.readRows()).payments).toEqual([])
  expect(setup.ports.lines).toContainEqual(expect.objectContaining({ event: 'fee_below_minimum' }))
  await setup.setFee(5000)
  requireInitiated(await setup.startPayment(user, number))
  await setup.setFee(0)
  expect(await setup.startPayment(user, await setup.newCertificate())).toMatchObject({ kind: 'already_paid' })
})

test("without a setting, the gateway's published minimum applies, and a setting of 0 means no minimum", async () => {
  const { user, number } = await newUserAndCertificate()
  Object.assign(setup.gateway, { minimumMinor: 5000 })
  await setup.setFee(4999)
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'FEE_BELOW_MINIMUM' })
  setup.ports.environment = { ...setup.ports.environment, PAYMENT_MINIMUM_AMOUNT: 0 }
  requireInitiated(await setup.startPayment(user, number))
})

test('an attempt never stays open longer than the gateway allows', async () => {
  const { user, number } = await newUserAndCertificate()
  const expiresAt = new Date(setup.ports.time + 10 * MINUTE)
  setup.gateway.onInitiate = async (_, proceed) => ({ ...proceed(), expiresAt })
  expect(requireInitiated(await setup.startPayment(user, number)).payment.expiresAt).toBe(expiresAt.getTime())
})

test('if the fee is 0, a certificate is verified immediately and without the gateway', {
  tags: ['INVARIANT-3'],
}, async () => {
  await setup.setFee(0)
  const { user, number } = await newUserAndCertificate()
  const result = await setup.startPayment(user, number)
  expect(result).toMatchObject({ kind: 'already_paid', fulfilment: { outcome: 'verified' } })
  expect(setup.gateway.orders).toEqual([])
  const rows = await setup.readRows()
  expect(rows.payments).toMatchObject([{ status: 'paid', resolution: 'verified', amountPaidMinor: 0 }])
  expect(rows.letters).toHaveLength(1)
  expect([rows.ledger, rows.refunds]).toEqual([[], []])
})

test('a database constraint allows only one open attempt per user and number', {
  tags: ['QUALITY-25', 'INVARIANT-5'],
}, async () => {
  const { user, number } = await newUserAndCertificate()
  const { payment } = requireInitiated(await setup.startPayment(user, number))
  const second = setup.database.client.execute({
    sql: `insert into payment_items (id, payment_id, user_id, certificate_number, amount_minor, created_at, open,
        result, result_at, tally) values ('second', ?, ?, ?, 1, 1, 1, 'pending', 1, 'none')`,
    args: [payment.id, user.id, number],
  })
  await expect(second).rejects.toThrow(/UNIQUE/)
})
