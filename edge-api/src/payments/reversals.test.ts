import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { notifications } from '../db/schema/accounts.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { countErasureBlockers } from '../personal-data/erasure-store.ts'
import { sumRefunds } from './money-store.ts'
import { comparePayment } from './reconcile.ts'
import { approveRefund } from './refund-approval.ts'
import { findPayment } from './store.ts'
import { syncWithGateway } from './sync.ts'

/* Tests payments that the gateway itself reverses, and whose money it may return. */

let gateway: RefundingGateway
let setup: TestSetup
let superAdmin: { id: string; email: string }
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
  superAdmin = await setup.newUser('super_admin')
})
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
const approve = (id: string, bankReference: string | null) =>
  approveRefund(setup.ports, setup.database, {
    id,
    actor: superAdmin,
    bankReference,
    address: '192.0.2.1',
    requestId: 'r',
  })

async function createPaidPayment(minor = 500_000) {
  const payment = await setup.newPayment()
  gateway.setOutcome(payment.reference, 'succeeded', { amountPaid: { minor, currency: 'NGN' } })
  await sync(payment.reference)
  return payment
}
async function reverse(reference: string) {
  gateway.reversePayment(reference)
  await sync(reference)
}
async function undoReversal(reference: string) {
  gateway.undoReversal(reference)
  await sync(reference)
}

async function readBooks() {
  const { ledger, refunds, payments, events, letters } = await setup.readRows()
  expect(ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
  const balances: Record<string, number> = {}
  for (const { account, amountMinor } of ledger) balances[account] = (balances[account] ?? 0) + amountMinor
  const nonZero = Object.entries(balances).filter(([, minor]) => minor !== 0)
  return {
    balances: Object.fromEntries(nonZero),
    refunds: refunds.map(({ id, reason, amountMinor, status }) => ({ id, reason, amountMinor, status })),
    payment: payments[0],
    history: events.map(({ type, amountMinor }) => [type, amountMinor]).slice(2),
    letter: letters[0]?.status,
  }
}

const readNotificationTexts = async (userId: string) =>
  (await setup.database.read.select().from(notifications))
    .filter(row => row.userId === userId)
    .map(({ kind, body }) => `${kind}: ${body}`)

async function findMismatch(reference: string) {
  const payment = await findPayment(setup.database.read, { reference })
  if (!payment) throw new Error('no payment')
  return (await comparePayment(setup.ports, setup.database, payment, { actorId: undefined })).mismatch
}

test('money returned after a dispute was won is recorded as a refund due, and the letter stays withdrawn', async () => {
  const { reference, user } = await createPaidPayment()
  await reverse(reference)
  expect(await readBooks()).toMatchObject({ balances: {}, letter: 'withdrawn' })
  await undoReversal(reference)
  await sync(reference)
  const { balances, refunds, payment, history, letter } = await readBooks()
  expect(balances).toEqual({ gateway_clearing: 500_000, refund_payable: -500_000 })
  expect(refunds).toMatchObject([{ reason: 'reversal_undone', amountMinor: 500_000, status: 'due' }])
  expect(payment).toMatchObject({ status: 'reversed', resolution: 'reversed' })
  expect(history).toEqual([
    ['paid', 500_000],
    ['reversed', null],
    ['reversal_undone', 500_000],
  ])
  expect(letter).toBe('withdrawn')
  expect(await findMismatch(reference)).toBeUndefined()
  expect((await readNotificationTexts(user.id)).at(-1)).toMatch(
    /^refund_due: .*the reversed payment was returned to us/,
  )
  expect((await readNotificationTexts(superAdmin.id)).at(-1)).toMatch(/^refund_trouble: .*A refund is due/)
  expect(setup.ports.lines.filter(({ event }) => event === 'reversal_undone')).toHaveLength(1)
})

test('money returned after a reversal is refunded like any other, after which every account is at zero', async () => {
  const { reference, user } = await createPaidPayment()
  await reverse(reference)
  expect(await countErasureBlockers(setup.database.read, { userId: user.id })).toMatchObject({
    refundsDue: 0,
  })
  await undoReversal(reference)
  const [refund] = (await readBooks()).refunds
  // Until the refund is made, the payer's account cannot be erased.
  expect(await countErasureBlockers(setup.database.read, { userId: user.id })).toMatchObject({
    refundsDue: 1,
  })
  expect((await approve(refund?.id ?? '', null)).refund.status).toBe('processed')
  expect(await countErasureBlockers(setup.database.read, { userId: user.id })).toMatchObject({
    refundsDue: 0,
  })
  await sync(reference)
  const { balances, payment, history } = await readBooks()
  expect(balances).toEqual({})
  expect(payment?.status).toBe('reversed')
  expect(history.at(-1)).toEqual(['refund_processed', 500_000])
  expect(await findMismatch(reference)).toBeUndefined()
  // Staff were notified that the reversal was undone, and of no problem since.
  expect(
    (await readNotificationTexts(superAdmin.id)).filter(item => item.startsWith('refund_trouble')),
  ).toHaveLength(1)
})

test('a failed refund of returned money can be ordered again', async () => {
  const { reference } = await createPaidPayment()
  await reverse(reference)
  await undoReversal(reference)
  const id = (await readBooks()).refunds[0]?.id ?? ''
  gateway.nextRefund = 'failed'
  expect((await approve(id, null)).refund.status).toBe('failed')
  expect((await approve(id, 'FT-1')).refund.status).toBe('processed')
  expect((await readBooks()).balances).toEqual({ gateway_clearing: 500_000, bank: -500_000 })
})

test('if a payment is reversed while its refund is in progress, the refund fails, the next run records the reversal, and nothing is owed', async () => {
  const { reference } = await createPaidPayment(100)
  gateway.nextRefund = 'pending'
  const id = (await readBooks()).refunds[0]?.id ?? ''
  expect((await approve(id, null)).refund.status).toBe('approved')
  await reverse(reference)
  // The reversal may be the effect of the refund order itself.
  expect((await readBooks()).payment?.status).toBe('mismatched')
  setup.ports.time += 3 * 60_000
  await runScheduledJobs(setup.ports, setup.database)
  await runScheduledJobs(setup.ports, setup.database)
  const { balances, refunds, payment } = await readBooks()
  expect(payment?.status).toBe('reversed')
  expect(refunds).toMatchObject([{ status: 'processed' }])
  expect(balances).toEqual({})
})

test('two reversals of a payment and their returns are recorded once each, even by ten parallel syncs', async () => {
  const { reference } = await createPaidPayment()
  for (const change of [reverse, undoReversal, reverse, undoReversal]) await change(reference)
  await Promise.all(Array.from({ length: 10 }, () => sync(reference)))
  const { balances, refunds, history } = await readBooks()
  expect(history.slice(1)).toEqual([
    ['reversed', null],
    ['reversal_undone', 500_000],
    ['reversed', 500_000],
    ['reversal_undone', 500_000],
  ])
  expect(refunds.map(({ status }) => status).sort()).toEqual(['due', 'processed'])
  expect(balances).toEqual({ gateway_clearing: 500_000, refund_payable: -500_000 })
})

test('a refund is no longer due after a reversal, and the whole amount is due once the money is returned', async () => {
  const { reference } = await createPaidPayment(700_000)
  const paymentId = (await readBooks()).payment?.id ?? ''
  const readRefundTotals = async () => {
    const { outstandingMinor, refundedMinor } = await sumRefunds(setup.database.read, { paymentId })
    return [outstandingMinor, refundedMinor]
  }
  expect(await readRefundTotals()).toEqual([200_000, 0])
  await reverse(reference)
  expect(await readRefundTotals()).toEqual([0, 0])
  await undoReversal(reference)
  expect(await readRefundTotals()).toEqual([700_000, 0])
})

test('amounts already refunded by bank are not owed a second time', async () => {
  const { reference } = await createPaidPayment(700_000)
  await approve((await readBooks()).refunds[0]?.id ?? '', 'FT-1')
  await reverse(reference)
  expect((await readBooks()).balances).toEqual({ bank: -200_000, refund_payable: 200_000 })
  await undoReversal(reference)
  const { balances, refunds } = await readBooks()
  expect(balances).toEqual({ gateway_clearing: 700_000, bank: -200_000, refund_payable: -500_000 })
  expect(refunds.at(-1)).toMatchObject({ reason: 'reversal_undone', amountMinor: 500_000, status: 'due' })
})

test('nothing is owed for a payment that the bank refunded in full, and that was then reversed and returned', async () => {
  const { reference, user } = await createPaidPayment(100)
  await approve((await readBooks()).refunds[0]?.id ?? '', 'FT-1')
  await reverse(reference)
  expect((await readBooks()).balances).toEqual({ bank: -100, refund_payable: 100 })
  expect(await findMismatch(reference)).toBeUndefined()
  await undoReversal(reference)
  const { balances, refunds, payment, history } = await readBooks()
  expect(balances).toEqual({ gateway_clearing: 100, bank: -100 })
  expect(payment?.status).toBe('refunded')
  expect(refunds).toHaveLength(1)
  expect(history.slice(1)).toEqual([
    ['refunded', 100],
    ['reversed', 100],
    ['reversal_undone', 100],
  ])
  expect((await readNotificationTexts(user.id)).filter(item => item.startsWith('refund_due'))).toHaveLength(1)
  expect((await readNotificationTexts(superAdmin.id)).at(-1)).toContain('No refund is due')
})

test('a dispute won in part leaves the rest reversed, and nothing is reported twice', async () => {
  const { reference } = await createPaidPayment()
  await reverse(reference)
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 300_000, currency: 'NGN' } })
  await sync(reference)
  await sync(reference)
  const { balances, refunds, history } = await readBooks()
  expect(balances).toEqual({ gateway_clearing: 300_000, refund_payable: -300_000 })
  expect(refunds).toMatchObject([{ amountMinor: 300_000 }])
  expect(history.slice(2)).toEqual([
    ['reversal_undone', 300_000],
    ['amount_differs', 300_000],
  ])
})

test('money that arrives after the reversal is refunded together with the returned money', async () => {
  const { reference } = await createPaidPayment()
  await reverse(reference)
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_700, currency: 'NGN' } })
  await sync(reference)
  const { balances, refunds, history } = await readBooks()
  expect(balances).toEqual({ gateway_clearing: 500_700, refund_payable: -500_700 })
  expect(refunds.map(({ amountMinor }) => amountMinor)).toEqual([500_000, 700])
  expect(history.slice(2).map(([type]) => type)).toEqual(['reversal_undone', 'more_received'])
  expect(await findMismatch(reference)).toBeUndefined()
})

test('money in another currency or mode does not count as returned', async () => {
  const { reference } = await createPaidPayment()
  await reverse(reference)
  gateway.setOutcome(reference, 'succeeded', { mode: 'live' })
  await sync(reference)
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_000, currency: 'USD' } })
  await sync(reference)
  const { balances, history } = await readBooks()
  expect(balances).toEqual({})
  expect(history.slice(2)).toEqual([['amount_differs', 500_000]])
  expect((await findMismatch(reference))?.kind).toBe('status_differs')
})

test('if the account was erased in the meantime, returned money is still recorded as a refund due', async () => {
  const { reference, user } = await createPaidPayment()
  await reverse(reference)
  await setup.database.client.execute({
    sql: "update users set erased_at = 1, email = 'x@erased.invalid' where id = ?",
    args: [user.id],
  })
  await undoReversal(reference)
  expect((await readBooks()).refunds).toMatchObject([{ amountMinor: 500_000, status: 'due' }])
})
