import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type Rows, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import type { Database } from '../db/database.ts'
import { notifications } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import { startBulkPayment } from './initiate-bulk.ts'
import { insertRefunds } from './money-store.ts'
import { approveRefund } from './refund-approval.ts'
import { refundMethodOf } from './refund-rules.ts'
import { listRefunds, listRefundsBelow } from './refund-store.ts'
import { syncWithGateway } from './sync.ts'

/* Tests refunds: approval, gateway answers and faults, ledger, payment, and notifications. */

const HOUR = 3_600_000
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
const approve = (id: string, bankReference: string | null = null, database: Database = setup.database) =>
  approveRefund(setup.ports, database, {
    id,
    actor: superAdmin,
    bankReference,
    address: '192.0.2.1',
    requestId: 'r',
  })
const onlyOne = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  return row
}
const balance = ({ ledger }: Rows, account: string) =>
  ledger.filter(entry => entry.account === account).reduce((sum, entry) => sum + entry.amountMinor, 0)
const readLogEntries = () => setup.database.read.select().from(activityLog)
const readActivities = async () => (await readLogEntries()).map(entry => entry.activity)
const readNotificationKinds = async (userId: string) =>
  (await setup.database.read.select().from(notifications).where(eq(notifications.userId, userId))).map(
    ({ kind }) => kind,
  )

/** Creates a payment for a certificate that is already paid for, so that its whole amount is due as a refund. */
async function createDuplicatePayment() {
  const first = await setup.newPayment()
  gateway.setOutcome(first.reference, 'expired')
  await sync(first.reference)
  const secondAttempt = await setup.startPayment(first.user, first.number)
  if (secondAttempt.kind !== 'initiated') throw new Error(secondAttempt.kind)
  const reference = secondAttempt.payment.providerReference
  gateway.setOutcome(first.reference, 'succeeded')
  gateway.setOutcome(reference, 'succeeded')
  await sync(first.reference)
  await sync(reference)
  const refund = onlyOne((await setup.readRows()).refunds)
  return { ...first, reference, firstReference: first.reference, id: refund.id }
}

async function createOverpayment() {
  const payment = await setup.newPayment()
  gateway.setOutcome(payment.reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  await sync(payment.reference)
  return { ...payment, id: onlyOne((await setup.readRows()).refunds).id }
}

test('a refund approved and processed in one step updates ledger, payment and log and notifies the payer; the first letter stays valid', {
  tags: ['STAFF-23'],
}, async () => {
  const { id, reference, user } = await createDuplicatePayment()
  const { refund, approverEmail } = await approve(id)
  expect(refund).toMatchObject({ status: 'processed', attempts: 1, providerRefundId: 'R1', note: null })
  expect(approverEmail).toBe(superAdmin.email)
  const rows = await setup.readRows()
  const payment = rows.payments.find(item => item.providerReference === reference)
  expect(payment).toMatchObject({ status: 'refunded', resolution: 'refunded' })
  expect(balance(rows, 'refund_payable')).toBe(0)
  expect(balance(rows, 'gateway_clearing')).toBe(500_000)
  expect(onlyOne(rows.letters)).toMatchObject({ status: 'valid' })
  expect(await readActivities()).toEqual(expect.arrayContaining(['Refund approved', 'Refund processed']))
  expect((await readLogEntries()).find(({ activity }) => activity === 'Refund processed')).toMatchObject({
    userId: superAdmin.id,
    userEmail: superAdmin.email,
  })
  expect(await readNotificationKinds(user.id)).toContain('refund_sent')
  await drainOutbox(setup.ports, setup.database)
  expect(setup.ports.sent.map(({ subject }) => subject)).toContain('Your refund was sent')
  const paymentEvents = rows.events.filter(event => event.paymentId === payment?.id).map(event => event.type)
  expect(paymentEvents).toEqual(['created', 'pending', 'paid', 'refunded'])
})

test('notifies staff once if the gateway also refunds a payment that was refunded by bank transfer', async () => {
  const { id, reference } = await createDuplicatePayment()
  await approve(id, 'BANK-1')
  await sync(reference)
  const readTroubleNotices = async () =>
    (await readNotificationKinds(superAdmin.id)).filter(kind => kind === 'refund_trouble')
  expect(await readTroubleNotices()).toEqual([])

  gateway.setOutcome(reference, 'reversed')
  await sync(reference)
  await sync(reference)
  expect(await readTroubleNotices()).toHaveLength(1)
  const rows = await setup.readRows()
  const payment = rows.payments.find(item => item.providerReference === reference)
  expect(payment).toMatchObject({ status: 'refunded', resolution: 'refunded' })
  // The gateway still has the first payment, but nothing of the second, which was refunded twice: by the gateway and by bank
  // transfer. The payer now owes that amount.
  expect(balance(rows, 'gateway_clearing')).toBe(500_000)
  expect(balance(rows, 'bank')).toBe(-500_000)
  expect(balance(rows, 'refund_payable')).toBe(500_000)
  expect(setup.ports.lines.filter(({ event }) => event === 'reversed_after_refund')).toHaveLength(1)
})

test('a refund by bank transfer reduces the balance of the bank account, not that of the gateway', async () => {
  const { id } = await createOverpayment()
  await approve(id, 'FT-7')
  const rows = await setup.readRows()
  expect(balance(rows, 'gateway_clearing')).toBe(500_100)
  expect(balance(rows, 'bank')).toBe(-100)
  expect(balance(rows, 'refund_payable')).toBe(0)
  expect((await readLogEntries()).find(({ activity }) => activity === 'Refund processed')).toMatchObject({
    userId: superAdmin.id,
    ipAddress: '192.0.2.1',
  })
})

test('a bank reference identifies one transfer, which may cover several refunds', async () => {
  await createOverpayment()
  const readRefundsWithStatus = async (status: 'due' | 'processed') =>
    (await setup.readRows()).refunds.filter(refund => refund.status === status)
  const { reference } = onlyOne(
    (await setup.readRows()).payments.map(row => ({ reference: row.providerReference })),
  )
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_300, currency: 'NGN' } })
  await sync(reference)
  for (const { id } of await readRefundsWithStatus('due')) await approve(id, 'FT-7')
  expect((await readRefundsWithStatus('processed')).map(({ bankReference }) => bankReference)).toEqual([
    'FT-7',
    'FT-7',
  ])

  const otherPayment = await setup.newPayment()
  gateway.setOutcome(otherPayment.reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  await sync(otherPayment.reference)
  const { id } = onlyOne(await readRefundsWithStatus('due'))
  const firstPayment = (await setup.readRows()).payments.find(row => row.providerReference === reference)
  await expect(approve(id, 'ft-7')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fields: {
      bank_reference: `This reference is already used for a refund of ${firstPayment?.transactionId}. Please check it.`,
    },
  })
  expect(onlyOne(await readRefundsWithStatus('due'))).toMatchObject({ id, approvedBy: null })
  expect(
    (await readActivities()).filter(activity => activity === 'Refund by bank transfer recorded'),
  ).toHaveLength(2)
  expect((await approve(id, 'FT-8')).refund.status).toBe('processed')
})

test('notifies staff once if the gateway reverses a whole payment of which a part was refunded by bank transfer', async () => {
  const user = await setup.newUser()
  const numbers = await Promise.all([setup.newCertificate(), setup.newCertificate()])
  const requester = { user, idempotencyKey: undefined, address: '192.0.2.1', requestId: 'r' }
  const started = await startBulkPayment(setup.ports, setup.database, {
    ...requester,
    numbers,
    requestedNumbers: numbers,
  })
  if (started.kind !== 'initiated') throw new Error(started.kind)
  await setup.removeCertificate(numbers[1] ?? '')
  const reference = started.payment.providerReference
  gateway.setOutcome(reference, 'succeeded')
  await sync(reference)
  await approve(onlyOne((await setup.readRows()).refunds).id, 'BANK-1')
  expect(onlyOne((await setup.readRows()).payments).status).toBe('paid')
  expect(await readNotificationKinds(superAdmin.id)).toEqual([])

  gateway.setOutcome(reference, 'reversed')
  await sync(reference)
  await sync(reference)
  const rows = await setup.readRows()
  expect(onlyOne(rows.payments)).toMatchObject({ status: 'reversed', resolution: 'reversed' })
  expect(await readNotificationKinds(superAdmin.id)).toEqual(['refund_trouble'])
  expect(setup.ports.lines.filter(({ event }) => event === 'reversed_after_refund')).toHaveLength(1)
  expect(rows.ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
})

test('a refund by the gateway that it later reports as a reversal raises no alert', async () => {
  const { id, reference } = await createDuplicatePayment()
  await approve(id)
  await sync(reference)
  expect(await readNotificationKinds(superAdmin.id)).not.toContain('refund_trouble')
  expect(setup.ports.lines.some(({ event }) => event === 'reversed_after_refund')).toBe(false)
})

test('an export lists each refund once, even if refunds are added while it runs', async () => {
  const firstRefund = { status: undefined, search: '', limit: 1 }
  const ids = [(await createOverpayment()).id]
  for (let i = 0; i < 2; i++) {
    const payment = await setup.newPayment()
    gateway.setOutcome(payment.reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
    await sync(payment.reference)
  }
  const [first] = await listRefundsBelow(setup.database.read, { ...firstRefund, below: undefined })
  setup.ports.time += 1000
  const addedPayment = await setup.newPayment()
  gateway.setOutcome(addedPayment.reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  await sync(addedPayment.reference)
  const exportedIds = [first?.refund.id]
  for (let last = first?.refund; last; ) {
    const [next] = await listRefundsBelow(setup.database.read, { ...firstRefund, below: last })
    if (next) exportedIds.push(next.refund.id)
    last = next?.refund
  }
  expect(new Set(exportedIds).size).toBe(3)
  expect(exportedIds).toHaveLength(3)
  expect(exportedIds).toEqual(expect.arrayContaining(ids))
})

test('a partial refund leaves the payment paid and verified', async () => {
  const { id } = await createOverpayment()
  expect((await approve(id)).refund.status).toBe('processed')
  const rows = await setup.readRows()
  expect(onlyOne(rows.payments)).toMatchObject({ status: 'paid', resolution: 'verified' })
  expect(rows.events.map(event => event.type)).toContain('refund_processed')
  expect(balance(rows, 'refund_payable')).toBe(0)
  expect(balance(rows, 'revenue')).toBe(-500_000)
  expect(onlyOne(rows.letters).status).toBe('valid')
})

test('fault 34: after a failed refund, the amount stays due in the ledger, staff are notified, and it can be approved again', {
  tags: ['FAULT-34'],
}, async () => {
  const { id, reference } = await createDuplicatePayment()
  gateway.nextRefund = 'failed'
  expect((await approve(id)).refund).toMatchObject({
    status: 'failed',
    note: 'The gateway could not refund this payment.',
  })
  const rows = await setup.readRows()
  expect(balance(rows, 'refund_payable')).toBe(-500_000)
  expect(rows.payments.find(payment => payment.providerReference === reference)?.status).toBe('paid')
  expect(await readNotificationKinds(superAdmin.id)).toContain('refund_trouble')
  expect(await readActivities()).toContain('Refund failed')
  gateway.onRefund = async () => {
    throw new GatewayRefusal('no')
  }
  expect((await approve(id)).refund).toMatchObject({
    status: 'failed',
    attempts: 2,
    note: 'The gateway refused the refund.',
  })
})

test('fault 34: a refund that needs attention requires a bank reference, which completes it', {
  tags: ['FAULT-34'],
}, async () => {
  const { id } = await createDuplicatePayment()
  gateway.nextRefund = 'needs_attention'
  expect((await approve(id)).refund.status).toBe('needs_attention')
  const { rows } = await listRefunds(setup.database.read, {
    page: 1,
    perPage: 20,
    status: 'needs_attention',
    search: '',
  })
  expect(refundMethodOf(onlyOne(rows), setup.ports.gateways)).toBe('bank')
  await expect(approve(id)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fields: { bank_reference: 'Bank reference is required' },
  })
  gateway.refundOrders.length = 0
  expect((await approve(id, 'FT-77')).refund).toMatchObject({ status: 'processed', bankReference: 'FT-77' })
  expect(gateway.refundOrders).toEqual([])
  expect(balance(await setup.readRows(), 'refund_payable')).toBe(0)
})

test('fault 35: a retry after a failure is a new order at the gateway, and the money is refunded once', {
  tags: ['FAULT-35'],
}, async () => {
  const { id, reference } = await createDuplicatePayment()
  gateway.nextRefund = 'failed'
  await approve(id)
  gateway.nextRefund = 'processed'
  const all = await Promise.all(Array.from({ length: 5 }, () => approve(id)))
  expect(all.some(({ refund }) => refund.status === 'processed')).toBe(true)
  await runScheduledJobs(setup.ports, setup.database)
  expect(gateway.refundedMinorOf(reference)).toBe(500_000)
  expect(new Set(gateway.refundOrders.map(order => order.idempotencyKey)).size).toBe(2)
  const rows = await setup.readRows()
  expect(onlyOne(rows.refunds)).toMatchObject({ status: 'processed', attempts: 2 })
  expect(balance(rows, 'refund_payable')).toBe(0)
  expect(rows.outbox.filter(mail => mail.dedupeKey?.startsWith('refund:'))).toHaveLength(1)
})

test('fault 35: a refund order whose response was lost is repeated with the same key until the gateway answers', {
  tags: ['FAULT-35'],
}, async () => {
  const { id, reference } = await createDuplicatePayment()
  gateway.onRefund = async (_, proceed) => {
    proceed()
    throw new Error('timeout')
  }
  expect((await approve(id)).refund.status).toBe('approved')
  await expect(approve(id, 'FT-1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  gateway.onRefund = async (_, proceed) => proceed()
  setup.ports.time += HOUR
  await Promise.all([
    runScheduledJobs(setup.ports, setup.database),
    runScheduledJobs(setup.ports, setup.database),
  ])
  expect(onlyOne((await setup.readRows()).refunds)).toMatchObject({ status: 'processed', attempts: 1 })
  expect(new Set(gateway.refundOrders.map(order => order.idempotencyKey)).size).toBe(1)
  expect(gateway.refundedMinorOf(reference)).toBe(500_000)
})

test('the scheduler requeries a pending refund less and less often, until the refund ends', async () => {
  const { id } = await createDuplicatePayment()
  gateway.nextRefund = 'pending'
  expect((await approve(id)).refund).toMatchObject({ status: 'approved', providerRefundId: 'R1' })
  for (let minute = 0; minute < 60; minute++) {
    setup.ports.time += 60_000
    await runScheduledJobs(setup.ports, setup.database)
  }
  expect(gateway.refundOrders.length).toBeGreaterThan(3)
  expect(gateway.refundOrders.length).toBeLessThan(10)
  gateway.endRefunds('processed')
  setup.ports.time += 6 * HOUR
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyOne((await setup.readRows()).refunds).status).toBe('processed')
})

test.each([
  ['right after the approval', 2, 0],
  ['before the result is written', 3, 1],
])(
  'if the process dies %s, the next scheduled run completes the refund, once',
  { tags: ['FAULT-24'] },
  async (_, nth, orderCount) => {
    const { id, reference } = await createDuplicatePayment()
    let writes = 0
    const failingDatabase: Database = {
      ...setup.database,
      write: async work => {
        writes++
        if (writes === nth) throw new Error('killed')
        return setup.database.write(work)
      },
    }
    await expect(approve(id, null, failingDatabase)).rejects.toThrow('killed')
    expect(gateway.refundOrders).toHaveLength(orderCount)
    expect(onlyOne((await setup.readRows()).refunds).status).toBe('approved')
    setup.ports.time += HOUR
    await runScheduledJobs(setup.ports, setup.database)
    const rows = await setup.readRows()
    expect(onlyOne(rows.refunds).status).toBe('processed')
    expect(gateway.refundedMinorOf(reference)).toBe(500_000)
    expect(balance(rows, 'refund_payable')).toBe(0)
  },
)

test('a full refund that the gateway reports as a reversal is recorded as a refund', async () => {
  const { reference, number } = await setup.newPayment()
  await setup.removeCertificate(number)
  gateway.setOutcome(reference, 'succeeded')
  await sync(reference)
  gateway.nextRefund = 'pending'
  const { id } = onlyOne((await setup.readRows()).refunds)
  await approve(id)
  gateway.endRefunds('processed')
  expect((await sync(reference))?.payment.status).toBe('paid')
  setup.ports.time += HOUR
  await runScheduledJobs(setup.ports, setup.database)
  expect((await sync(reference))?.payment).toMatchObject({ status: 'refunded', resolution: 'refunded' })
})

test('after the gateway reverses a payment, nothing is left to refund', async () => {
  const { id, reference } = await createOverpayment()
  gateway.setOutcome(reference, 'reversed')
  await sync(reference)
  const refundView = await approve(id)
  expect(refundView.refund).toMatchObject({
    status: 'processed',
    processedAt: setup.ports.time,
    approvedBy: null,
  })
  expect(refundMethodOf(refundView, setup.ports.gateways)).toBeNull()
  await expect(approve(id, 'FT-1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const rows = await setup.readRows()
  for (const account of ['gateway_clearing', 'refund_payable', 'revenue'])
    expect(balance(rows, account)).toBe(0)
})

test.each([
  ['failed', 0],
  ['needs_attention', 1],
] as const)(
  'a refund order that ends as %s after the gateway reversed the whole payment leaves nothing owed',
  async (finalStatus, notificationCount) => {
    const { id, reference } = await createOverpayment()
    gateway.nextRefund = 'pending'
    await approve(id)
    gateway.setOutcome(reference, 'reversed')
    expect((await sync(reference))?.payment.status).toBe('reversed')
    expect(onlyOne((await setup.readRows()).refunds).status).toBe('approved')
    gateway.endRefunds(finalStatus)
    setup.ports.time += HOUR
    await runScheduledJobs(setup.ports, setup.database)
    const rows = await setup.readRows()
    expect(onlyOne(rows.refunds)).toMatchObject({
      status: 'processed',
      note: 'The gateway took the payment back itself: nothing is owed.',
    })
    expect(balance(rows, 'refund_payable')).toBe(0)
    expect(await readNotificationKinds(superAdmin.id)).toHaveLength(notificationCount)
  },
)

test('a refund that needs attention ends when the gateway reverses the whole payment, and staff are asked to check with the gateway', async () => {
  const { id, reference } = await createOverpayment()
  gateway.nextRefund = 'needs_attention'
  await approve(id)
  gateway.setOutcome(reference, 'reversed')
  await sync(reference)
  expect(onlyOne((await setup.readRows()).refunds).status).toBe('processed')
  const bodies = (await setup.database.read.select().from(notifications)).map(({ body }) => body)
  expect(
    bodies.filter(body => body.includes('Please make sure at the gateway that this refund is not paid')),
  ).toHaveLength(1)
})

test('of two bank transfers recorded in parallel for a refund, one is kept and the other is refused with a reason', async () => {
  const { id } = await createOverpayment()
  const all = await Promise.allSettled([approve(id, 'FT-1'), approve(id, 'FT-2')])
  const refused = all.filter(item => item.status === 'rejected')
  expect(refused).toMatchObject([
    { reason: { fields: { bank_reference: 'This refund is already in progress or completed.' } } },
  ])
  const storedReference = onlyOne((await setup.readRows()).refunds).bankReference
  expect(all.find(item => item.status === 'fulfilled')).toMatchObject({
    value: { refund: { status: 'processed', bankReference: storedReference } },
  })
})

test('a bank transfer recorded while the gateway reverses the payment is refused, not lost silently', async () => {
  const { id, reference } = await createOverpayment()
  gateway.setOutcome(reference, 'reversed')
  const racingDatabase: Database = {
    ...setup.database,
    write: async work => {
      await sync(reference)
      return setup.database.write(work)
    },
  }
  await expect(approve(id, 'FT-1', racingDatabase)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(onlyOne((await setup.readRows()).refunds)).toMatchObject({
    status: 'processed',
    bankReference: null,
  })
})

test('a late response to a refund order that failed does not end the order that followed it', async () => {
  const { id, reference } = await createDuplicatePayment()
  let respondToFirst: () => void = () => undefined
  let onRequest: () => void = () => undefined
  const requestReceived = new Promise<void>(resolve => {
    onRequest = resolve
  })
  gateway.onRefund = async (_, proceed) => {
    gateway.nextRefund = 'failed'
    const response = { ...proceed() }
    onRequest()
    await new Promise<void>(resolve => {
      respondToFirst = resolve
    })
    return response
  }
  const first = approve(id)
  await requestReceived
  // The process was paused for longer than its lease, and another one receives the failure.
  setup.ports.time += HOUR
  gateway.onRefund = async (_, proceed) => proceed()
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyOne((await setup.readRows()).refunds)).toMatchObject({ status: 'failed', attempts: 1 })
  gateway.nextRefund = 'pending'
  await approve(id)
  respondToFirst()
  await first
  expect(onlyOne((await setup.readRows()).refunds)).toMatchObject({ status: 'approved', attempts: 2 })
  expect(gateway.refundedMinorOf(reference)).toBe(500_000)
})

test('money in another currency is refunded by bank transfer and recorded in that currency', async () => {
  const { reference } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_000, currency: 'USD' } })
  await sync(reference)
  const { id } = onlyOne((await setup.readRows()).refunds)
  await expect(approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await approve(id, 'SWIFT-9')
  const rows = await setup.readRows()
  expect(onlyOne(rows.payments)).toMatchObject({ status: 'refunded', resolution: 'refunded' })
  expect(new Set(rows.ledger.map(entry => entry.currency))).toEqual(new Set(['USD']))
  expect(balance(rows, 'refund_payable')).toBe(0)
})

test('invariant 4: a refund of more than was received, or of nothing, is refused', {
  tags: ['INVARIANT-4'],
}, async () => {
  await createOverpayment()
  const { paymentId, currency } = onlyOne((await setup.readRows()).refunds)
  const insertRefund = (minor: number, key: string) =>
    setup.database.write(tx =>
      insertRefunds(tx, {
        paymentId,
        currency,
        at: setup.ports.time,
        due: [{ reason: 'over_payment', minor, key }],
      }),
    )
  await expect(insertRefund(500_001, 'too much')).rejects.toThrow('would exceed')
  await expect(insertRefund(0, 'nothing')).rejects.toThrow()
  await insertRefund(500_000, 'the rest')
  await expect(insertRefund(1, 'a kobo more')).rejects.toThrow('would exceed')
  // The same key is inserted only once, so the refunds never exceed the amount received.
  await insertRefund(500_000, 'the rest')
})
