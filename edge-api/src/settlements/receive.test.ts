import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { settlementDifferences } from '../db/schema/settlements.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { importSettlements } from './nightly.ts'
import { receiveReport } from './receive.ts'
import type { ReportLine } from './rules.ts'

/* Tests settlements against the ledger: entries, differences, and that nothing is recorded twice. */

const DAY = 86_400_000

let gateway: RefundingGateway
let setup: TestSetup
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
})
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')

async function createPaidPayment(response: object = { feeMinor: 7600 }) {
  const payment = await setup.newPayment()
  gateway.setOutcome(payment.reference, 'succeeded', response)
  await sync(payment.reference)
  return payment
}

const receive = (lines: readonly ReportLine[], overrides: object = {}) =>
  receiveReport(
    setup.database,
    {
      provider: 'sandbox',
      reference: 'S1',
      currency: 'NGN',
      settledAt: setup.ports.time,
      lines,
      ...overrides,
    },
    { source: 'api', at: setup.ports.time },
  )
const makePaymentLine = (
  reference: string,
  amountMinor = 500_000,
  feeMinor: number | undefined = 7600,
): ReportLine => ({
  kind: 'payment',
  reference,
  amountMinor,
  feeMinor,
})

async function readBalances() {
  const { ledger } = await setup.readRows()
  expect(ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  const sums: Record<string, number> = {}
  for (const { account, amountMinor } of ledger) sums[account] = (sums[account] ?? 0) + amountMinor
  return Object.fromEntries(Object.entries(sums).filter(([, minor]) => minor !== 0))
}

const listDifferences = async () =>
  (await setup.database.read.select().from(settlementDifferences)).map(row => [
    row.kind,
    row.expectedMinor,
    row.foundMinor,
    row.resolvedAt === null ? 'open' : 'resolved',
  ])

test('a payout moves the money from gateway clearing to the bank in the ledger, without a difference', async () => {
  const { reference } = await createPaidPayment()
  expect((await readBalances()).gateway_clearing).toBe(492_400)
  expect(await receive([makePaymentLine(reference)], { statedTotalMinor: 492_400 })).toMatchObject({
    isNew: true,
    added: 1,
  })
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, revenue: -500_000 })
  expect(await listDifferences()).toEqual([])
})

test('the same report changes nothing if it is received again or in parallel', async () => {
  const { reference } = await createPaidPayment()
  await Promise.all([
    receive([makePaymentLine(reference)]),
    receive([makePaymentLine(reference)]),
    receive([makePaymentLine(reference)]),
  ])
  expect(await receive([makePaymentLine(reference)])).toMatchObject({ isNew: false, added: 0 })
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, revenue: -500_000 })
  expect(await listDifferences()).toEqual([])
})

test('a fee that was unknown is recorded with the settlement; if a known fee differs, the difference is recorded and listed', async () => {
  const unknown = await createPaidPayment({})
  await receive([makePaymentLine(unknown.reference)])
  expect(await listDifferences()).toEqual([])
  const known = await createPaidPayment({ feeMinor: 7000 })
  await receive([makePaymentLine(known.reference)], { reference: 'S2' })
  expect((await readBalances()).fees).toBe(15_200)
  expect(await listDifferences()).toEqual([['fee_differs', 7000, 7600, 'open']])
})

test('a line without a fee is settled net of a fee that was recorded before', async () => {
  const { reference } = await createPaidPayment()
  await receive([{ kind: 'payment', reference, amountMinor: 500_000 }])
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, revenue: -500_000 })
})

test('lists a payment that is settled twice, one with a different amount, and an unknown one', async () => {
  const first = await createPaidPayment()
  const second = await createPaidPayment()
  await receive([
    makePaymentLine(first.reference),
    makePaymentLine(second.reference, 400_000),
    makePaymentLine('CVUNKNOWN'),
  ])
  await receive([makePaymentLine(first.reference)], { reference: 'S2' })
  expect(await listDifferences()).toEqual([
    ['amount_differs', 500_000, 400_000, 'open'],
    ['unknown_here', null, 500_000, 'open'],
    ['amount_differs', 0, 500_000, 'open'],
  ])
})

test('a payment at one gateway is unknown in a settlement of another', async () => {
  const { reference } = await createPaidPayment()
  await receive([makePaymentLine(reference)], { provider: 'paystack' })
  expect(await listDifferences()).toEqual([['unknown_here', null, 500_000, 'open']])
  expect((await readBalances()).bank).toBeUndefined()
})

test('a deduction is explained by a refund in the ledger, and listed if there is none', async () => {
  const { reference } = await createPaidPayment({
    amountPaid: { minor: 500_100, currency: 'NGN' },
    feeMinor: 7600,
  })
  await receive([makePaymentLine(reference, 500_100)])
  await receive([{ kind: 'refund', reference, amountMinor: -100 }], { reference: 'S2' })
  expect(await listDifferences()).toEqual([['deduction', 0, -100, 'open']])
  const [refund] = (await setup.readRows()).refunds
  const actor = await setup.newUser('super_admin')
  const approval = { id: refund?.id ?? '', actor, bankReference: null, address: '-', requestId: '-' }
  await approveRefund(setup.ports, setup.database, approval)
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, revenue: -500_000 })
  setup.ports.time += DAY
  await importSettlements(setup.ports, setup.database)
  expect(await listDifferences()).toEqual([['deduction', 0, -100, 'resolved']])
  await receive([{ kind: 'chargeback', reference: 'CVOTHER', amountMinor: -500_000 }], { reference: 'S3' })
  expect((await listDifferences()).at(-1)).toEqual(['deduction', null, -500_000, 'open'])
})

test('a payout that is not the sum of its lines is listed until further lines explain it', async () => {
  const { reference } = await createPaidPayment()
  await receive([makePaymentLine(reference)], { statedTotalMinor: 492_300 })
  expect(await listDifferences()).toEqual([['total_differs', 492_400, 492_300, 'open']])
  await receive([makePaymentLine(reference), { kind: 'adjustment', reference: '', amountMinor: -100 }])
  expect(await listDifferences()).toEqual([
    ['total_differs', 492_400, 492_300, 'resolved'],
    ['deduction', null, -100, 'open'],
  ])
})

test('lists a payment once when its settlement is overdue, and resolves the difference when it is settled', async () => {
  const settled = await createPaidPayment()
  await receive([makePaymentLine(settled.reference)])
  const late = await createPaidPayment()
  setup.ports.time += 6 * DAY
  await importSettlements(setup.ports, setup.database)
  expect(await listDifferences()).toEqual([])
  setup.ports.time += 2 * DAY
  expect(await importSettlements(setup.ports, setup.database)).toBe(1)
  expect(await importSettlements(setup.ports, setup.database)).toBe(0)
  setup.ports.time += DAY
  await importSettlements(setup.ports, setup.database)
  expect(await listDifferences()).toEqual([['not_settled', 500_000, null, 'open']])
  await receive([makePaymentLine(late.reference)], { reference: 'S2' })
  expect(await listDifferences()).toEqual([['not_settled', 500_000, null, 'resolved']])
})

test('expects no settlement from a gateway that has never sent one', async () => {
  await createPaidPayment()
  setup.ports.time += 30 * DAY
  await importSettlements(setup.ports, setup.database)
  expect(await listDifferences()).toEqual([])
})

test('money reversed after its settlement is owed to the gateway until the gateway deducts it', async () => {
  const { reference } = await createPaidPayment()
  await receive([makePaymentLine(reference)])
  gateway.reversePayment(reference)
  await sync(reference)
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, gateway_clearing: -500_000 })
  await receive([{ kind: 'chargeback', reference, amountMinor: -500_000 }], { reference: 'S2' })
  expect(await readBalances()).toEqual({ bank: -7600, fees: 7600 })
  expect(await listDifferences()).toEqual([])
})

test('the nightly import of a gateway matches its settlements, and is retried after an hour if it fails', async () => {
  const { reference } = await createPaidPayment()
  let calls = 0
  const settledAt = new Date(setup.ports.time)
  const items = [{ reference: 'S9', currency: 'NGN', settledAt, paidOutMinor: 492_400 }]
  Object.assign(gateway, {
    settlements: {
      async list() {
        calls++
        if (calls === 1) throw new Error('down')
        return { items }
      },
      listLines: async (_: string, cursor: string | undefined) =>
        cursor
          ? { items: [{ reference, amountMinor: 500_000, feeMinor: 7600 }] }
          : { items: [], nextCursor: '2' },
    },
  })
  await importSettlements(setup.ports, setup.database)
  await importSettlements(setup.ports, setup.database)
  expect(calls).toBe(1)
  setup.ports.time += 3_600_001
  await importSettlements(setup.ports, setup.database)
  await importSettlements(setup.ports, setup.database)
  expect(calls).toBe(2)
  expect(await readBalances()).toEqual({ bank: 492_400, fees: 7600, revenue: -500_000 })
})
