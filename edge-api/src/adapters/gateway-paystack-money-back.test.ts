import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { continueRun, RUN_LEASE_MS } from '../payments/reconcile.ts'
import { insertRun } from '../payments/reconcile-store.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { paystackGateway } from './gateway-paystack.ts'

/*
 * Tests refunds and the list of payments at Paystack, the only real gateway with both, over HTTP and through the whole
 * payment core.
 */

let fake: Awaited<ReturnType<typeof startFakePaystack>>
let setup: TestSetup
beforeEach(async () => {
  fake = await startFakePaystack()
  setup = await openTestSetup()
  const { url } = fake.server
  const paystack = paystackGateway({
    url,
    checkoutUrl: url,
    secretKey: fake.secretKey,
    fetch,
    allowLoopback: true,
  })
  // Payments of the test set-up are started at its default provider, so Paystack takes its place.
  setup.ports.gateways = { sandbox: paystack }
})
afterEach(async () => {
  await setup.close()
  await fake.server.close()
})

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
const onlyRow = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  return row
}
const approve = (id: string, bankReference: string | null = null) =>
  approveRefund(setup.ports, setup.database, {
    id,
    actor: { id: 'boss', email: 'boss@users.test' },
    bankReference,
    address: '192.0.2.1',
    requestId: 'r',
  })

async function reconcile() {
  const id = crypto.randomUUID()
  const at = setup.ports.time
  const starter = { id: 'admin', email: 'admin@users.test', address: '192.0.2.4' }
  await setup.database.write(tx =>
    insertRun(tx, { id, day: '2026-01-15', starter, at, leaseUntil: at + RUN_LEASE_MS }),
  )
  return continueRun(setup.ports, setup.database, id)
}

test('an overpayment is refunded: pending at the gateway, requeried, processed and recorded, until both sides agree', async () => {
  const { reference } = await setup.newPayment()
  fake.endPayment(reference, 'success', { amount: 500_100 })
  expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
  const { id } = onlyRow((await setup.readRows()).refunds)
  expect((await approve(id)).refund).toMatchObject({ status: 'approved', providerRefundId: '3018284' })
  expect(fake.refunded).toMatchObject([{ amount: 100, status: 'pending' }])

  const gatewayRefund = onlyRow(fake.refunded)
  gatewayRefund.status = 'processed'
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(fake.refunded).toHaveLength(1)
  const rows = await setup.readRows()
  expect(onlyRow(rows.refunds).status).toBe('processed')
  expect(rows.ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  expect(await reconcile()).toMatchObject({ processed: 1, mismatches: [] })
})

test('a payment refunded in full is reversed at the gateway, and refunded in the portal', async () => {
  const { reference, number } = await setup.newPayment()
  await setup.removeCertificate(number)
  fake.endPayment(reference, 'success')
  await sync(reference)
  await approve(onlyRow((await setup.readRows()).refunds).id)
  onlyRow(fake.refunded).status = 'processed'
  fake.endPayment(reference, 'reversed')
  expect((await sync(reference))?.payment.status).toBe('paid')
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyRow((await setup.readRows()).payments)).toMatchObject({
    status: 'refunded',
    resolution: 'refunded',
  })
  expect(await reconcile()).toMatchObject({ mismatches: [] })
})

const readLetterStatus = async () => onlyRow((await setup.readRows()).letters).status
const readLedgerTotal = async () =>
  (await setup.readRows()).ledger.reduce((total, entry) => total + entry.amountMinor, 0)
/** Adds a refund that was made in the gateway's own dashboard, or by a lost dispute. */
function addGatewayRefund(reference: string, amount: number, status = 'processed') {
  const id = 9_000_000 + fake.refunded.length
  fake.refunded.push({
    id,
    transaction: fake.idOf(reference),
    amount,
    merchant_note: '',
    status,
    dispute: null,
  })
}
async function newOverpayment(excess = 100) {
  const payment = await setup.newPayment()
  fake.endPayment(payment.reference, 'success', { amount: 500_000 + excess })
  await sync(payment.reference)
  return payment
}

test.each(['reversal-pending', 'reversal_pending', 'Reversal pending'])(
  'a partial refund is not a reversal while it is "%s", nor once it is "reversed", so the letter stays valid',
  async gatewayStatus => {
    fake.reversalPendingStatus = gatewayStatus
    const { reference } = await newOverpayment()
    await approve(onlyRow((await setup.readRows()).refunds).id)
    for (const status of ['pending', 'processing', 'needs-attention', 'processed']) {
      onlyRow(fake.refunded).status = status
      const synced = await sync(reference)
      expect(synced?.answer).toMatchObject({ outcome: 'succeeded', status: fake.statusOf(reference) })
      expect(synced?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
    }
    expect(fake.statusOf(reference)).toBe('reversed')
    setup.ports.time += 3_600_000
    await runScheduledJobs(setup.ports, setup.database)
    expect((await sync(reference))?.payment.status).toBe('paid')
    expect(await readLetterStatus()).toBe('valid')
    const { ledger } = await setup.readRows()
    const revenue = ledger.filter(({ account }) => account === 'revenue')
    expect(revenue.reduce((total, entry) => total + entry.amountMinor, 0)).toBe(-500_000)
    expect(setup.ports.lines.filter(({ event }) => event === 'returned_elsewhere')).toEqual([])
    expect(await reconcile()).toMatchObject({ mismatches: [] })
  },
)

test('a dispute about the remaining amount after a partial refund is a reversal, because the whole amount was returned', async () => {
  const { reference } = await newOverpayment()
  await approve(onlyRow((await setup.readRows()).refunds).id)
  onlyRow(fake.refunded).status = 'processed'
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  fake.endPayment(reference, 'reversed', { amount: 500_100 })
  expect((await sync(reference))?.payment).toMatchObject({ status: 'reversed' })
  expect(await readLetterStatus()).toBe('withdrawn')
  expect(await readLedgerTotal()).toBe(0)
})

test('when staff complete a failed refund at the gateway, records it as that refund and not as a reversal', async () => {
  const { reference, number } = await setup.newPayment()
  await setup.removeCertificate(number)
  fake.endPayment(reference, 'success')
  await sync(reference)
  await approve(onlyRow((await setup.readRows()).refunds).id)
  onlyRow(fake.refunded).status = 'needs-attention'
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyRow((await setup.readRows()).refunds).status).toBe('needs_attention')
  onlyRow(fake.refunded).status = 'processed'
  expect((await sync(reference))?.payment.status).toBe('paid')
  await runScheduledJobs(setup.ports, setup.database)
  const { payments, refunds, events } = await setup.readRows()
  expect(onlyRow(refunds)).toMatchObject({ status: 'processed', note: null })
  expect(onlyRow(payments)).toMatchObject({ status: 'refunded', resolution: 'refunded' })
  expect(events.map(({ type }) => type)).not.toContain('reversed')
  expect(await reconcile()).toMatchObject({ mismatches: [] })
})

test('if staff enter the number of a refund made at the gateway, records the gateway and not the bank as its source', async () => {
  const { reference } = await newOverpayment()
  addGatewayRefund(reference, 100)
  const other = await setup.newPayment()
  fake.endPayment(other.reference, 'success')
  addGatewayRefund(other.reference, 100)
  addGatewayRefund(reference, 99)
  const { id } = onlyRow((await setup.readRows()).refunds)
  // The same amount was refunded at the gateway, so no refund is requested.
  expect((await approve(id)).refund.status).toBe('failed')
  await expect(approve(id, '9000002')).rejects.toMatchObject({
    fields: { bank_reference: expect.stringContaining('₦0.99') },
  })
  for (let times = 0; times < 2; times++)
    expect((await approve(id, '9000000')).refund).toMatchObject({
      status: 'processed',
      providerRefundId: '9000000',
      bankReference: null,
    })
  const { ledger } = await setup.readRows()
  expect(ledger.filter(({ account }) => account === 'bank')).toEqual([])
  const clearingEntries = ledger.filter(({ reason }) => reason === 'refund processed')
  expect(clearingEntries.map(({ account, amountMinor }) => [account, amountMinor])).toContainEqual([
    'gateway_clearing',
    -100,
  ])
})

test('treats a number as a bank reference if no refund of this payment has it, or if the gateway cannot confirm it', async () => {
  for (const fault of [undefined, '500'] as const) {
    const { reference } = await newOverpayment()
    addGatewayRefund(reference, 100)
    const other = await setup.newPayment()
    fake.endPayment(other.reference, 'success')
    addGatewayRefund(other.reference, 100)
    const refund = (await setup.readRows()).refunds.find(({ status }) => status === 'due')
    fake.server.fault = fault
    const number = String(fault === undefined ? 9_000_001 : 9_000_002)
    expect((await approve(refund?.id ?? '', number)).refund).toMatchObject({
      status: 'processed',
      bankReference: number,
    })
    fake.server.fault = undefined
  }
})

test('when the gateway returns the remaining amount at the same time, records our refund first, and nothing twice', async () => {
  const { reference } = await newOverpayment()
  await approve(onlyRow((await setup.readRows()).refunds).id)
  onlyRow(fake.refunded).status = 'processed'
  addGatewayRefund(reference, 500_000)
  await sync(reference)
  for (let run = 0; run < 3; run++) {
    setup.ports.time += 60_000
    await runScheduledJobs(setup.ports, setup.database)
  }
  const { payments, refunds, ledger } = await setup.readRows()
  expect(onlyRow(payments).status).toBe('reversed')
  expect(onlyRow(refunds)).toMatchObject({ status: 'processed', note: null })
  expect(await readLetterStatus()).toBe('withdrawn')
  const owed = ledger.filter(({ account }) => account === 'refund_payable')
  expect(owed.reduce((total, entry) => total + entry.amountMinor, 0)).toBe(0)
})

test('a partial refund made at the gateway itself leaves the letter valid, and is reported once', async () => {
  const { reference } = await newOverpayment()
  addGatewayRefund(reference, 100)
  for (let times = 0; times < 3; times++)
    expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
  const { events, refunds } = await setup.readRows()
  expect(onlyRow(events.filter(({ type }) => type === 'returned_elsewhere')).amountMinor).toBe(100)
  expect(onlyRow(refunds).status).toBe('due')
  expect(await readLetterStatus()).toBe('valid')
})

test('a payment first reported while it is being refunded produces no letter', async () => {
  const { reference } = await setup.newPayment()
  fake.endPayment(reference, 'success')
  addGatewayRefund(reference, 500_000, 'pending')
  expect((await sync(reference))?.payment.status).toBe('processing')
  expect((await setup.readRows()).letters).toEqual([])
  // The refund failed, so the gateway still has the money.
  onlyRow(fake.refunded).status = 'failed'
  expect((await sync(reference))?.payment.status).toBe('paid')
})

test('"reversed" without a listed refund withdraws no letter, but is reported by reconciliation', async () => {
  const { reference } = await newOverpayment(0)
  fake.endPayment(reference, 'reversed')
  fake.refunded.length = 0
  fake.pinStatus(reference, 'reversed')
  expect((await sync(reference))?.payment.status).toBe('paid')
  expect(await readLetterStatus()).toBe('valid')
  expect(await reconcile()).toMatchObject({ mismatches: [{ kind: 'status_differs' }] })
})

test('refunds of other payments and failed refunds are not counted', async () => {
  const { reference } = await newOverpayment(0)
  fake.ignoresFilter = true
  const other = await setup.newPayment()
  fake.endPayment(other.reference, 'success')
  addGatewayRefund(other.reference, 500_000)
  addGatewayRefund(reference, 500_000, 'failed')
  addGatewayRefund(reference, 1)
  expect((await sync(reference))?.answer).toMatchObject({ outcome: 'succeeded', returnedMinor: 1 })
  expect(await readLetterStatus()).toBe('valid')
})

test('fault 34: a refund that fails or needs attention at the gateway is reported to staff and not repeated', {
  tags: ['FAULT-34'],
}, async () => {
  const { reference } = await setup.newPayment()
  fake.endPayment(reference, 'success', { amount: 500_100 })
  await sync(reference)
  const { id } = onlyRow((await setup.readRows()).refunds)
  await approve(id)
  onlyRow(fake.refunded).status = 'failed'
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyRow((await setup.readRows()).refunds).status).toBe('failed')

  await approve(id)
  expect(fake.refunded).toHaveLength(2)
  const [, secondRefund] = fake.refunded
  if (secondRefund) secondRefund.status = 'needs-attention'
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyRow((await setup.readRows()).refunds)).toMatchObject({ status: 'needs_attention', attempts: 2 })
  await expect(approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(fake.refunded).toHaveLength(2)
})

test('a refund that someone continued at the gateway is tracked until it ends, and is not also paid by bank transfer', async () => {
  const { reference } = await newOverpayment()
  const { id } = onlyRow((await setup.readRows()).refunds)
  await approve(id)
  const gatewayRefund = onlyRow(fake.refunded)
  for (const [gatewayStatus, status] of [
    ['needs-attention', 'needs_attention'],
    ['needs-attention', 'needs_attention'],
    ['processing', 'approved'],
    ['processed', 'processed'],
  ] as const) {
    gatewayRefund.status = gatewayStatus
    setup.ports.time += 7 * 3_600_000
    await runScheduledJobs(setup.ports, setup.database)
    expect(onlyRow((await setup.readRows()).refunds).status).toBe(status)
  }
  expect(fake.refunded).toHaveLength(1)
  expect((await sync(reference))?.payment.status).toBe('paid')
  expect(await readLedgerTotal()).toBe(0)
})

test('a callback about a refund triggers an immediate requery', async () => {
  const { reference } = await newOverpayment()
  await approve(onlyRow((await setup.readRows()).refunds).id)
  onlyRow(fake.refunded).status = 'processed'
  await setup.database.write(async tx => {
    const callback = {
      provider: 'sandbox',
      eventKey: 'refund.processed:1',
      raw: '{}',
      receivedAt: setup.ports.time,
    }
    await insertCallback(tx, { ...callback, reference })
  })
  setup.ports.time += 31_000
  await runScheduledJobs(setup.ports, setup.database)
  await runScheduledJobs(setup.ports, setup.database)
  expect(onlyRow((await setup.readRows()).refunds).status).toBe('processed')
})

test('compares all pages of a day’s list, and finds payments unknown to the portal and payments without a callback', {
  tags: ['INVARIANT-7'],
}, async () => {
  const payments = []
  for (let count = 0; count < 5; count++) payments.push(await setup.newPayment())
  for (const { reference } of payments) fake.endPayment(reference, 'success')
  const headers = { authorization: `Bearer ${fake.secretKey}`, 'content-type': 'application/json' }
  const foreignPayment = {
    email: 'someone@users.test',
    amount: 700_000,
    currency: 'NGN',
    reference: 'ANOTHER-SHOP-1',
    callback_url: 'https://shop.example.org/back',
  }
  await fetch(`${fake.server.url}/transaction/initialize`, {
    method: 'POST',
    headers,
    body: JSON.stringify(foreignPayment),
  })
  fake.endPayment('ANOTHER-SHOP-1', 'success')
  setup.ports.time += 5 * 60_000
  expect(await reconcile()).toMatchObject({
    processed: 5,
    updated: 5,
    mismatches: [{ payment_reference: 'ANOTHER-SHOP-1', kind: 'missing_here', amount_gateway: 7000 }],
  })
  expect((await setup.readRows()).letters).toHaveLength(5)
})
