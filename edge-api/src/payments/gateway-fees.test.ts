import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { notifications } from '../db/schema/accounts.ts'
import { comparePayment } from './reconcile.ts'
import { findPayment } from './store.ts'
import { syncWithGateway } from './sync.ts'

/* Tests the gateway's fee for a payment, and who bears it. */

let gateway: RefundingGateway
let setup: TestSetup
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
})
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')

async function readBooks() {
  const { ledger, refunds, payments } = await setup.readRows()
  expect(ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  const balances: Record<string, number> = {}
  for (const { account, amountMinor } of ledger) balances[account] = (balances[account] ?? 0) + amountMinor
  const nonZero = Object.entries(balances).filter(([, minor]) => minor !== 0)
  return {
    balances: Object.fromEntries(nonZero),
    refunds: refunds.map(({ reason, amountMinor }) => [reason, amountMinor]),
    payment: payments[0],
  }
}

const feePaidByPayer = {
  amountPaid: { minor: 510_283, currency: 'NGN' },
  requestedMinor: 500_000,
  feeMinor: 10_283,
}

test('a fee that the institution bears is an expense, and the gateway owes the rest', async () => {
  const { reference } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', { feeMinor: 7600 })
  await sync(reference)
  expect(await readBooks()).toMatchObject({
    balances: { gateway_clearing: 492_400, fees: 7600, revenue: -500_000 },
    refunds: [],
    payment: { status: 'paid', gatewayFeeMinor: 7600, passedOnMinor: 0 },
  })
})

test('does not treat a fee borne by the payer as an overpayment: no refund is due, and the fee account balances', async () => {
  const { reference, user } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', feePaidByPayer)
  await sync(reference)
  const after = await readBooks()
  expect(after).toMatchObject({
    refunds: [],
    payment: { status: 'paid', resolution: 'verified', amountPaidMinor: 510_283, passedOnMinor: 10_283 },
  })
  expect(after.balances).toEqual({ gateway_clearing: 500_000, revenue: -500_000 })
  const receivedNotifications = (await setup.database.read.select().from(notifications)).filter(
    row => row.userId === user.id,
  )
  expect(receivedNotifications.map(({ body }) => body).join()).not.toContain('too much')
})

test('if no letter is delivered, a fee borne by the payer is refunded too', async () => {
  const { reference, number } = await setup.newPayment()
  await setup.removeCertificate(number)
  gateway.setOutcome(reference, 'succeeded', feePaidByPayer)
  await sync(reference)
  expect((await readBooks()).refunds).toEqual([
    ['certificate_vanished', 500_000],
    ['over_payment', 10_283],
  ])
})

test('a requested amount that is too low is an underpayment, even if the fee makes up the difference', async () => {
  const { reference } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', {
    ...feePaidByPayer,
    amountPaid: { minor: 500_000, currency: 'NGN' },
    requestedMinor: 489_717,
  })
  await sync(reference)
  expect(await readBooks()).toMatchObject({
    refunds: [['mismatch', 500_000]],
    payment: { status: 'mismatched', passedOnMinor: 0 },
  })
})

test('a fee that is reported repeatedly is recorded once, and after a correction only the difference is recorded', async () => {
  const { reference } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', { feeMinor: 7600 })
  await Promise.all([sync(reference), sync(reference), sync(reference)])
  await sync(reference)
  expect((await readBooks()).balances.fees).toBe(7600)
  gateway.setOutcome(reference, 'succeeded', { feeMinor: 7500 })
  await sync(reference)
  await sync(reference)
  const { ledger } = await setup.readRows()
  expect(ledger.filter(({ account }) => account === 'fees').map(({ amountMinor }) => amountMinor)).toEqual([
    7600, -100,
  ])
})

test('reconciliation records a fee that only appears in the gateway’s list later', async () => {
  const { reference, transactionId } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded')
  await sync(reference)
  gateway.setOutcome(reference, 'succeeded', { feeMinor: 7600 })
  const payment = await findPayment(setup.database.read, { transactionId })
  if (!payment) throw new Error('no payment')
  const amountPaid = { minor: 500_000, currency: 'NGN' }
  const listed = { outcome: 'succeeded' as const, mode: 'test' as const, amountPaid, feeMinor: 7600 }
  const compared = await comparePayment(setup.ports, setup.database, payment, {
    gatewayAnswer: listed,
    actorId: undefined,
  })
  expect(compared).toMatchObject({ updated: true, mismatch: undefined })
  expect((await readBooks()).balances.fees).toBe(7600)
})

test('the fee of a reversed payment is borne by the institution', async () => {
  const { reference } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', feePaidByPayer)
  await sync(reference)
  gateway.reversePayment(reference)
  await sync(reference)
  expect((await readBooks()).balances).toEqual({ gateway_clearing: -10_283, fees: 10_283 })
})

test('no fee is recorded for the transaction of another payment or for a success in the wrong mode', async () => {
  const first = await setup.newPayment()
  gateway.setOutcome(first.reference, 'succeeded')
  await sync(first.reference)
  const second = await setup.newPayment()
  gateway.setOutcome(second.reference, 'succeeded', {
    feeMinor: 7600,
    providerTxnId: `TXN-${first.reference}`,
  })
  await sync(second.reference)
  const third = await setup.newPayment()
  gateway.setOutcome(third.reference, 'succeeded', { feeMinor: 7600, mode: 'live' })
  await sync(third.reference)
  expect((await readBooks()).balances.fees).toBeUndefined()
})
