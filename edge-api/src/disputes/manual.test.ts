import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePdf } from '../../../packages/letter/src/pdf/parse-pdf.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { disputes } from '../db/schema/disputes.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { countErasureBlockers } from '../personal-data/erasure-store.ts'
import { addDisputeManually, recordOutcome } from './answers.ts'
import { drawEvidenceFile, readEvidence } from './evidence.ts'
import { findDisputeView } from './store.ts'

/* Tests disputes at a gateway without an API: staff enter them, and record their outcomes. */

const HOUR = 3_600_000
const user = { id: 'boss', email: 'boss@users.test' }
let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
  await setup.newUser('super_admin')
})
afterEach(() => setup.close())

const call = () => ({ db: setup.database, ports: setup.ports, address: '192.0.2.1', requestId: 'r', user })

async function newDispute(minor = 500_000, dueIn: number | null = 48 * HOUR) {
  const started = await setup.newPayment()
  setup.gateway.setOutcome(started.reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference: started.reference }, 'webhook')
  const id = await addDisputeManually(call(), {
    transaction_id: started.transactionId,
    gateway_reference: 'CB-1',
    minor,
    dueAt: dueIn === null ? null : setup.ports.time + dueIn,
    reason: 'Not recognised',
  })
  return { ...started, id }
}

const onlyDispute = async () => (await setup.database.read.select().from(disputes))[0]
const record = (id: string, state: 'accepted' | 'contested' | 'won' | 'lost', feeMinor = 0) =>
  recordOutcome(call(), { id, state, note: '', feeMinor })

async function readBalances() {
  const found = new Map<string, number>()
  for (const { account, amountMinor } of (await setup.readRows()).ledger)
    found.set(account, (found.get(account) ?? 0) + amountMinor)
  return Object.fromEntries([...found].filter(([, minor]) => minor !== 0))
}

test('a dispute lost completely, with a fee, withdraws the letter, and later reports of the gateway change nothing', async () => {
  const { id, reference } = await newDispute()
  await record(id, 'contested')
  await record(id, 'lost', 10_000)
  const expectReversal = async () => {
    const rows = await setup.readRows()
    expect(rows.payments).toMatchObject([{ status: 'reversed' }])
    expect(rows.letters).toMatchObject([{ status: 'withdrawn' }])
    expect(rows.refunds).toEqual([])
    expect(await readBalances()).toEqual({ fees: 10_000, gateway_clearing: -10_000 })
  }
  await expectReversal()
  // The requery of this gateway does not report disputes.
  await syncWithGateway(setup.ports, setup.database, { reference }, 'reconcile')
  await expectReversal()
})

test('if a dispute is won after it was recorded as lost, a refund to the payer is due', async () => {
  const { id, reference } = await newDispute()
  await record(id, 'lost')
  await record(id, 'won')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'user')
  expect((await setup.readRows()).refunds).toMatchObject([
    { reason: 'reversal_undone', amountMinor: 500_000 },
  ])
})

test('an amount that was lost and later returned is revenue again', async () => {
  const { id } = await newDispute(200_000)
  await record(id, 'lost')
  expect(await readBalances()).toEqual({ gateway_clearing: 300_000, revenue: -300_000 })
  await record(id, 'won')
  expect(await readBalances()).toEqual({ gateway_clearing: 500_000, revenue: -500_000 })
  await expect(record(id, 'won')).rejects.toMatchObject({ code: 'DISPUTE_CLOSED' })
})

test('a dispute ends if its deadline passes without an answer, and the money stays reserved until staff record the outcome', async () => {
  const { id } = await newDispute()
  setup.ports.time += 49 * HOUR
  await runScheduledJobs(setup.ports, setup.database)
  expect(await onlyDispute()).toMatchObject({ state: 'expired', heldMinor: 500_000, nextAt: null })
  expect((await setup.readRows()).letters).toMatchObject([{ status: 'valid' }])
  await record(id, 'won')
  expect(await readBalances()).toEqual({ gateway_clearing: 500_000, revenue: -500_000 })
})

test('the same dispute can be added only once, and never for more than was paid', async () => {
  const { transactionId } = await newDispute()
  const sameDispute = {
    transaction_id: transactionId,
    gateway_reference: 'CB-1',
    minor: 1,
    dueAt: null,
    reason: 'x',
  }
  await expect(addDisputeManually(call(), sameDispute)).rejects.toMatchObject({ code: 'DISPUTE_EXISTS' })
  const tooMuch = { ...sameDispute, gateway_reference: 'CB-2', minor: 500_001 }
  await expect(addDisputeManually(call(), tooMuch)).rejects.toMatchObject({
    fields: { amount: expect.any(String) },
  })
})

test('an account with an undecided dispute cannot be erased', async () => {
  const { id, user: payer } = await newDispute()
  const findBlockers = () => countErasureBlockers(setup.database.read, { userId: payer.id })
  expect(await findBlockers()).toMatchObject({ openDisputes: 1 })
  await record(id, 'won')
  expect(await findBlockers()).toMatchObject({ openDisputes: 0 })
})

test('the evidence contains the customer, what was delivered, how it was used, and the letter', async () => {
  const { id, number, user: payer } = await newDispute()
  const view = await findDisputeView(setup.database.read, { id })
  if (!view) throw new Error('no dispute')
  const context = { db: setup.database, ports: setup.ports }
  const evidence = await readEvidence(context, view)
  expect(evidence).toMatchObject({
    customer: { email: payer.email },
    amount_paid: 5000,
    items: [{ certificate_number: number, outcome: 'verified', letter: { status: 'valid', checks: 0 } }],
  })
  expect(evidence.uses.map(({ what }) => what)).toContainEqual(expect.stringContaining(number))
  const bytes = await drawEvidenceFile(context, {
    ...view,
    dispute: { ...view.dispute, note: 'Ọláṣẹ́ńí paid twice.' },
  })
  const { objects } = parsePdf(bytes)
  const pages = [...objects.values()].filter(({ body }) => body.includes('/Type/Page/'))
  expect(pages).toHaveLength(2)
})
