import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createLoggingClient, explainQuery } from '../../test/query-log.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { createTestPorts } from '../../test/temporary-database.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { notifications, users } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { reconciliations } from '../db/schema/reconciliation.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { continueRun, RUN_LEASE_MS } from './reconcile.ts'
import { reconcileDue } from './reconcile-nightly.ts'
import { findFirstStart, insertRun, listRuns } from './reconcile-store.ts'
import { syncWithGateway } from './sync.ts'

/*
 * Tests the comparison of the portal's ledger with the gateway's records in both directions, on demand and every night by the scheduler.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TODAY = '2026-01-15'

let gateway: RefundingGateway
let setup: TestSetup
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
})
afterEach(() => setup.close())

const actor = { id: 'admin', email: 'admin@users.test', address: '192.0.2.4' }

async function startRun(day = TODAY): Promise<string> {
  const id = crypto.randomUUID()
  const at = setup.ports.time
  const run = { id, day, starter: actor, at, leaseUntil: at + RUN_LEASE_MS }
  await setup.database.write(tx => insertRun(tx, run))
  return id
}
const reconcile = async (day = TODAY, database: Database = setup.database) =>
  continueRun(setup.ports, database, await startRun(day))
const listAllRuns = async () => (await listRuns(setup.database.read, { page: 1, perPage: 100 })).rows
const runJobs = () => runScheduledJobs(setup.ports, setup.database)

async function createPaidPayment() {
  const payment = await setup.newPayment()
  gateway.setOutcome(payment.reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference: payment.reference }, 'webhook')
  return payment
}

test('on a day without differences, every payment is compared using only the gateway’s list', async () => {
  for (let i = 0; i < 5; i++) await createPaidPayment()
  await setup.newPayment()
  const requeriesBefore = gateway.requeries
  setup.ports.time += 5 * 60_000
  expect(await reconcile()).toMatchObject({
    processed: 6,
    updated: 0,
    mismatches: [],
    mismatchCount: 0,
    byEmail: actor.email,
    finishedAt: setup.ports.time,
  })
  expect(gateway.requeries).toBe(requeriesBefore)
  const entries = await setup.database.read.select().from(activityLog)
  expect(entries.at(-1)).toMatchObject({
    activity: 'Payments reconciled',
    userEmail: actor.email,
    details: '2026-01-15: 6 compared, 0 updated, 0 differ',
  })
})

test('a payment that is paid only at the gateway becomes paid, one declined there becomes failed, and a second run updates nothing', {
  tags: ['INVARIANT-7'],
}, async () => {
  const lost = await setup.newPayment()
  const declined = await setup.newPayment()
  gateway.setOutcome(lost.reference, 'succeeded')
  gateway.setOutcome(declined.reference, 'failed')
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 2, mismatches: [] })
  const rows = await setup.readRows()
  expect(rows.payments.map(({ status }) => status).sort()).toEqual(['failed', 'paid'])
  expect(rows.letters).toHaveLength(1)
  expect(rows.events.filter(({ source }) => source === 'reconcile')).toHaveLength(2)
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 0, mismatches: [] })
})

test('a payment that is paid here but unknown, failed or different at the gateway is listed with the state on both sides', {
  tags: ['STAFF-22'],
}, async () => {
  const [missing, failed, differing] = [
    await createPaidPayment(),
    await createPaidPayment(),
    await createPaidPayment(),
  ]
  gateway.charges.delete(missing.reference)
  gateway.setOutcome(failed.reference, 'failed')
  gateway.setOutcome(differing.reference, 'succeeded', { amountPaid: { minor: 400_000, currency: 'NGN' } })
  const { mismatches, mismatchCount } = await reconcile()
  expect(mismatchCount).toBe(3)
  const findMismatch = (reference: string) =>
    mismatches.find(mismatch => mismatch.payment_reference === reference)
  expect(findMismatch(missing.reference)).toMatchObject({
    transaction_id: missing.transactionId,
    kind: 'missing_at_gateway',
    ours: 'paid',
    gateways: 'not_found',
    amount_ours: 5000,
    amount_gateway: null,
  })
  expect(findMismatch(failed.reference)).toMatchObject({
    kind: 'status_differs',
    ours: 'paid',
    gateways: 'failed',
  })
  expect(findMismatch(differing.reference)).toMatchObject({
    kind: 'amount_differs',
    amount_ours: 5000,
    amount_gateway: 4000,
  })
  // A failure after the payment never undoes it.
  expect((await setup.readRows()).payments.every(({ status }) => status === 'paid')).toBe(true)
})

test('a payment known only to the gateway is recorded, and staff are notified once', {
  tags: ['STAFF-22'],
}, async () => {
  const { id } = await setup.newUser()
  await setup.database.write(tx => tx.update(users).set({ role: 'admin' }).where(eq(users.id, id)))
  gateway.addUnknownCharge('CVFOREIGN000001', setup.ports.time)
  gateway.addUnknownCharge('CVFOREIGN000002', setup.ports.time, 'failed')
  for (const _ of [1, 2]) {
    const { mismatches } = await reconcile()
    expect(mismatches).toMatchObject([
      {
        transaction_id: null,
        payment_reference: 'CVFOREIGN000001',
        kind: 'missing_here',
        ours: null,
        amount_gateway: 5000,
      },
    ])
  }
  const receivedNotifications = await setup.database.read
    .select()
    .from(notifications)
    .where(eq(notifications.userId, id))
  expect(receivedNotifications).toMatchObject([{ kind: 'payment_orphan' }])
})

test('if a gateway cannot list payments, every reference of the day is requeried; a requery without a response is reported', async () => {
  const { reference } = await setup.newPayment()
  await createPaidPayment()
  gateway.setOutcome(reference, 'succeeded')
  setup.ports.gateways = { sandbox: { ...withoutList(gateway) } }
  const before = gateway.requeries
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 1, mismatches: [] })
  expect(gateway.requeries).toBe(before + 2)
  gateway.onRequery = async () => {
    throw new Error('down')
  }
  const { mismatches } = await reconcile()
  expect(mismatches.map(({ kind }) => kind)).toEqual(['unanswered', 'unanswered'])
})

const withoutList = (fullGateway: RefundingGateway) => ({
  mode: fullGateway.mode,
  initiate: fullGateway.initiate.bind(fullGateway),
  requery: fullGateway.requery.bind(fullGateway),
  parseWebhook: fullGateway.parseWebhook,
  check: fullGateway.check.bind(fullGateway),
})

test('if a list cannot be read, every reference is requeried, and the result is marked incomplete', async () => {
  await createPaidPayment()
  gateway.onList = () => {
    throw new Error('down')
  }
  const { mismatches, processed } = await reconcile()
  expect(processed).toBe(1)
  expect(mismatches).toMatchObject([{ kind: 'unanswered', payment_reference: 'sandbox' }])
})

test('a day that is compared in several slices covers each payment once, even after interruptions', async () => {
  for (let i = 0; i < 90; i++) {
    await setup.newPayment()
    setup.ports.time += i % 3 === 0 ? 0 : 1000
  }
  for (const reference of gateway.charges.keys()) gateway.setOutcome(reference, 'succeeded')
  setup.ports.time += 5 * 60_000
  const id = await startRun()
  let slices = 0
  const firstSlice = await continueRun(setup.ports, setup.database, id, { mayContinue: () => slices++ < 1 })
  expect(firstSlice).toMatchObject({ processed: 40, updated: 40, finishedAt: null })
  // Until the lease expires, no other process continues the run.
  await runJobs()
  expect((await listAllRuns())[0]?.finishedAt).toBeNull()
  setup.ports.time += RUN_LEASE_MS + 1
  await Promise.all([runJobs(), runJobs()])
  expect((await listAllRuns())[0]).toMatchObject({ id, processed: 90, mismatches: [] })
  const rows = await setup.readRows()
  expect(rows.letters).toHaveLength(90)
  expect(rows.ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
})

test('a run whose process dies repeats at most the interrupted slice', {
  tags: ['FAULT-24'],
}, async () => {
  for (let i = 0; i < 50; i++) await setup.newPayment()
  setup.ports.time += 5 * 60_000
  const id = await startRun()
  let writes = 0
  const failingDatabase: Database = {
    ...setup.database,
    write: async work => {
      writes++
      if (writes === 2) throw new Error('killed')
      return setup.database.write(work)
    },
  }
  await expect(continueRun(setup.ports, failingDatabase, id)).rejects.toThrow('killed')
  setup.ports.time += RUN_LEASE_MS + 1
  await runJobs()
  expect((await listAllRuns())[0]).toMatchObject({ id, processed: 50, mismatches: [] })
})

test('a process that is asked to stop finishes its current slice, and the next scheduled run continues', {
  tags: ['QUALITY-47'],
}, async () => {
  for (let i = 0; i < 50; i++) await setup.newPayment()
  setup.ports.time = Date.parse('2026-01-16T01:00:00Z')
  const { ports, database } = setup
  gateway.onList = () => ports.end.abort()
  expect(await reconcileDue(ports, database)).toBe(0)
  expect((await listAllRuns())[0]).toMatchObject({ processed: 40, finishedAt: null })
  expect(await reconcileDue({ ...ports, stopping: createTestPorts().stopping }, database)).toBe(1)
  expect((await listAllRuns())[0]).toMatchObject({ processed: 50, mismatches: [] })
})

test('every night, the previous day is reconciled once, in any number of scheduler runs', {
  tags: ['INVARIANT-7'],
}, async () => {
  await createPaidPayment()
  await runJobs()
  expect(await listAllRuns()).toEqual([])
  setup.ports.time = Date.parse('2026-01-16T00:59:00Z')
  await runJobs()
  expect(await listAllRuns()).toEqual([])
  setup.ports.time = Date.parse('2026-01-16T01:00:00Z')
  await Promise.all([runJobs(), runJobs(), runJobs()])
  await runJobs()
  expect(await listAllRuns()).toMatchObject([
    { day: TODAY, nightly: true, byEmail: null, processed: 1, mismatchCount: 0 },
  ])
  const entries = await setup.database.read.select().from(activityLog)
  expect(entries.filter(({ activity }) => activity === 'Payments reconciled')).toMatchObject([
    { userId: null, details: '2026-01-15: 1 compared, 0 updated, 0 differ' },
  ])
})

test('after missed nights, up to a week of days is reconciled, but none before the first payment', {
  tags: ['STAFF-22'],
}, async () => {
  await createPaidPayment()
  setup.ports.time += 3 * DAY
  await runJobs()
  expect((await listAllRuns()).map(({ day }) => day).sort()).toEqual([
    '2026-01-15',
    '2026-01-16',
    '2026-01-17',
  ])
  setup.ports.time += 30 * DAY
  await runJobs()
  expect(await listAllRuns()).toHaveLength(3 + 7)
})

test('a portal without payments, or with demo payments only, reconciles nothing', async () => {
  await runJobs()
  const { transactionId } = await createPaidPayment()
  await setup.database.client.execute({
    sql: "update payments set provider = 'demo' where transaction_id = ?",
    args: [transactionId],
  })
  setup.ports.time += DAY
  await runJobs()
  expect(await setup.database.read.select().from(reconciliations)).toEqual([])
  expect(await reconcile()).toMatchObject({ processed: 0, mismatches: [] })
})

test('the time of the first payment at a gateway is found without scanning payments without a gateway', async () => {
  const logging = createLoggingClient(setup.database.client)
  const { read } = openDatabase(logging.client, { serialiseWrites: true })
  expect(await findFirstStart(read)).toBeUndefined()
  const at = setup.ports.time
  await setup.newPayment()
  expect(await findFirstStart(read)).toBe(at)
  const [query] = logging.queries.values()
  const plan = query ? await explainQuery(setup.database.client, query) : []
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX payments_at_gateway')])
})
