import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { notifications } from '../db/schema/accounts.ts'
import type { Requery } from '../payment-gateway.ts'
import { comparePayment } from './reconcile.ts'
import { approveRefund } from './refund-approval.ts'
import { findPayment } from './store.ts'
import { syncWithGateway } from './sync.ts'

/* Tests payments for which the gateway later reports a different amount than the portal recorded. */

let gateway: RefundingGateway
let setup: TestSetup
let superAdmin: { id: string; email: string }
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
  superAdmin = await setup.newUser('super_admin')
})
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'scheduler')

/** Creates a payment of 5,000.00 naira for which the gateway reports these amounts one after the other. */
async function createPaidPayment(...amounts: { minor: number; currency?: string; mode?: Requery['mode'] }[]) {
  const payment = await setup.newPayment()
  for (const { minor, currency = 'NGN', mode = 'test' } of amounts) {
    gateway.setOutcome(payment.reference, 'succeeded', { amountPaid: { minor, currency }, mode })
    await sync(payment.reference)
  }
  return payment
}

async function readBooks() {
  const { ledger, refunds, payments, events } = await setup.readRows()
  expect(ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
  const balances = new Map<string, number>()
  for (const { account, amountMinor } of ledger)
    balances.set(account, (balances.get(account) ?? 0) + amountMinor)
  return { balances, refunds, payment: payments[0], eventTypes: events.map(({ type }) => type).slice(2) }
}

test('the rest of an underpayment that arrives later is recorded as another refund due, of which the payer is notified once', async () => {
  const { reference, user } = await createPaidPayment(
    { minor: 499_900 },
    { minor: 500_000 },
    { minor: 500_000 },
  )
  const { balances, refunds, payment, eventTypes } = await readBooks()
  expect(payment).toMatchObject({
    status: 'mismatched',
    resolution: 'refund_due',
    amountPaidMinor: 500_000,
  })
  expect(eventTypes).toEqual(['mismatched', 'more_received'])
  expect(refunds.map(({ reason, amountMinor }) => [reason, amountMinor])).toEqual([
    ['mismatch', 499_900],
    ['mismatch', 100],
  ])
  expect(balances.get('refund_payable')).toBe(-500_000)
  expect(balances.get('unapplied_receipts')).toBe(0)
  const rows = await setup.database.read.select().from(notifications)
  const kinds = (id: string) => rows.filter(({ userId }) => userId === id).map(({ kind }) => kind)
  expect(kinds(user.id)).toEqual(['refund_due', 'refund_due'])
  expect(kinds(superAdmin.id)).toEqual(['payment_mismatch', 'refund_trouble'])
  expect(setup.ports.lines.filter(({ event }) => event === 'more_received')).toHaveLength(1)
  const storedPayment = await findPayment(setup.database.read, { reference })
  if (!storedPayment) throw new Error('no payment')
  const { mismatch } = await comparePayment(setup.ports, setup.database, storedPayment, {
    actorId: undefined,
  })
  expect(mismatch).toBeUndefined()
})

test('a reconciliation that records more money reports the payment as updated', async () => {
  const { reference } = await createPaidPayment({ minor: 499_900 })
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_000, currency: 'NGN' } })
  const storedPayment = await findPayment(setup.database.read, { reference })
  if (!storedPayment) throw new Error('no payment')
  const compare = () => comparePayment(setup.ports, setup.database, storedPayment, { actorId: undefined })
  expect(await compare()).toMatchObject({ updated: true, mismatch: undefined })
  expect((await readBooks()).eventTypes).toEqual(['mismatched', 'more_received'])
})

test('money received later is recorded once even by ten parallel syncs', async () => {
  const { reference } = await createPaidPayment({ minor: 1 })
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_000, currency: 'NGN' } })
  await Promise.all(Array.from({ length: 10 }, () => sync(reference)))
  const { balances, refunds, eventTypes } = await readBooks()
  expect(balances.get('gateway_clearing')).toBe(500_000)
  expect(refunds).toHaveLength(2)
  expect(eventTypes).toEqual(['mismatched', 'more_received'])
})

test('a payment with several refunds counts as refunded once the last of them is made', async () => {
  await createPaidPayment({ minor: 499_900 }, { minor: 500_000 })
  for (const [index, { id }] of (await readBooks()).refunds.entries()) {
    const approval = { actor: superAdmin, bankReference: null, address: '192.0.2.1', requestId: 'r' }
    await approveRefund(setup.ports, setup.database, { id, ...approval })
    expect((await readBooks()).payment?.status).toBe(index === 0 ? 'mismatched' : 'refunded')
  }
  const { balances } = await readBooks()
  expect([...balances.values()].every(minor => minor === 0)).toBe(true)
})

test('money received in addition to a full payment is an overpayment, and the letter stays valid', async () => {
  await createPaidPayment({ minor: 500_000 }, { minor: 750_000 }, { minor: 1_000_000 })
  const { balances, refunds, payment, eventTypes } = await readBooks()
  expect(payment).toMatchObject({ status: 'paid', resolution: 'verified', amountPaidMinor: 1_000_000 })
  expect(eventTypes).toEqual(['paid', 'more_received', 'more_received'])
  expect(refunds.map(({ reason, amountMinor }) => [reason, amountMinor])).toEqual([
    ['over_payment', 250_000],
    ['over_payment', 250_000],
  ])
  expect(Object.fromEntries(balances)).toEqual({
    gateway_clearing: 1_000_000,
    revenue: -500_000,
    refund_payable: -500_000,
  })
})

test.each([
  ['less', { minor: 400_000 }],
  ['another currency', { minor: 600_000, currency: 'USD' }],
])(
  'a report of %s than was recorded changes nothing, and is added to the history once',
  async (_, report) => {
    await createPaidPayment({ minor: 500_000 }, report, report)
    const { refunds, payment, eventTypes } = await readBooks()
    expect(payment).toMatchObject({ status: 'paid', resolution: 'verified', amountPaidMinor: 500_000 })
    expect(eventTypes).toEqual(['paid', 'amount_differs'])
    expect(refunds).toEqual([])
  },
)

test('money in the right mode is refunded if it comes after a success in the wrong mode', async () => {
  const livePayment = { minor: 500_000, mode: 'live' as const }
  await createPaidPayment(livePayment, livePayment)
  expect((await readBooks()).eventTypes).toEqual(['mismatched'])
  await setup.close()
  setup = await openTestSetup(gateway)
  await createPaidPayment(livePayment, { minor: 500_000 })
  const { refunds, payment, eventTypes } = await readBooks()
  expect(payment).toMatchObject({ status: 'mismatched', resolution: 'refund_due', amountPaidMinor: 500_000 })
  expect(eventTypes).toEqual(['mismatched', 'more_received'])
  expect(refunds).toMatchObject([{ reason: 'mismatch', amountMinor: 500_000 }])
})
