import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { loggingClient, planOf } from '../../test/query-log.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { testPorts } from '../../test/temporary-database.ts'
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
 * Tests the comparison of our ledger and the gateway's records in both directions, on demand and every night by the scheduler.
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

async function begin(day = TODAY): Promise<string> {
  const id = crypto.randomUUID()
  const at = setup.ports.time
  const run = { id, day, by: actor, at, leaseUntil: at + RUN_LEASE_MS }
  await setup.database.write(tx => insertRun(tx, run))
  return id
}
const reconcile = async (day = TODAY, database: Database = setup.database) =>
  continueRun(setup.ports, database, await begin(day))
const listNightlyRuns = async () => (await listRuns(setup.database.read, { page: 1, perPage: 100 })).rows
const run = () => runScheduledJobs(setup.ports, setup.database)

async function createPaidPayment() {
  const payment = await setup.newPayment()
  gateway.end(payment.reference, 'succeeded')
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

test('a payment that is only paid at the gateway is synced, one that was declined there ends, and repeating finds nothing', {
  tags: ['INVARIANT-7'],
}, async () => {
  const lost = await setup.newPayment()
  const declined = await setup.newPayment()
  gateway.end(lost.reference, 'succeeded')
  gateway.end(declined.reference, 'failed')
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 2, mismatches: [] })
  const rows = await setup.rows()
  expect(rows.payments.map(({ status }) => status).sort()).toEqual(['failed', 'paid'])
  expect(rows.letters).toHaveLength(1)
  expect(rows.events.filter(({ source }) => source === 'reconcile')).toHaveLength(2)
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 0, mismatches: [] })
})

test('a payment booked here that the gateway does not know or reports as failed or different is listed with both sides', {
  tags: ['STAFF-22'],
}, async () => {
  const [gone, failed, other] = [
    await createPaidPayment(),
    await createPaidPayment(),
    await createPaidPayment(),
  ]
  gateway.charges.delete(gone.reference)
  gateway.end(failed.reference, 'failed')
  gateway.end(other.reference, 'succeeded', { amountPaid: { minor: 400_000, currency: 'NGN' } })
  const { mismatches, mismatchCount } = await reconcile()
  expect(mismatchCount).toBe(3)
  const findMismatch = (reference: string) =>
    mismatches.find(mismatch => mismatch.payment_reference === reference)
  expect(findMismatch(gone.reference)).toMatchObject({
    transaction_id: gone.transactionId,
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
  expect(findMismatch(other.reference)).toMatchObject({
    kind: 'amount_differs',
    amount_ours: 5000,
    amount_gateway: 4000,
  })
  // A failure after the payment never undoes it.
  expect((await setup.rows()).payments.every(({ status }) => status === 'paid')).toBe(true)
})

test('a payment known only to the gateway is recorded, and staff are notified once', {
  tags: ['STAFF-22'],
}, async () => {
  const { id } = await setup.newUser()
  await setup.database.write(tx => tx.update(users).set({ role: 'admin' }).where(eq(users.id, id)))
  gateway.addForeign('CVFOREIGN000001', setup.ports.time)
  gateway.addForeign('CVFOREIGN000002', setup.ports.time, 'failed')
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

test('at a gateway without a list, every reference of the day is requeried; a gateway that is unreachable is reported', async () => {
  const { reference } = await setup.newPayment()
  await createPaidPayment()
  gateway.end(reference, 'succeeded')
  setup.ports.gateways = { sandbox: { ...bareOf(gateway) } }
  const before = gateway.requeries
  expect(await reconcile()).toMatchObject({ processed: 2, updated: 1, mismatches: [] })
  expect(gateway.requeries).toBe(before + 2)
  gateway.onRequery = async () => {
    throw new Error('down')
  }
  const { mismatches } = await reconcile()
  expect(mismatches.map(({ kind }) => kind)).toEqual(['unanswered', 'unanswered'])
})

const bareOf = (full: RefundingGateway) => ({
  mode: full.mode,
  initiate: full.initiate.bind(full),
  requery: full.requery.bind(full),
  parseWebhook: full.parseWebhook,
  check: full.check.bind(full),
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
  for (const reference of gateway.charges.keys()) gateway.end(reference, 'succeeded')
  setup.ports.time += 5 * 60_000
  const id = await begin()
  let slices = 0
  const firstSlice = await continueRun(setup.ports, setup.database, id, { mayContinue: () => slices++ < 1 })
  expect(firstSlice).toMatchObject({ processed: 40, updated: 40, finishedAt: null })
  // The run is leased until the lease expires; then any run continues it.
  await run()
  expect((await listNightlyRuns())[0]?.finishedAt).toBeNull()
  setup.ports.time += RUN_LEASE_MS + 1
  await Promise.all([run(), run()])
  expect((await listNightlyRuns())[0]).toMatchObject({ id, processed: 90, mismatches: [] })
  const rows = await setup.rows()
  expect(rows.letters).toHaveLength(90)
  expect(rows.ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
})

test('a run whose process dies between two slices repeats at most that slice', {
  tags: ['FAULT-24'],
}, async () => {
  for (let i = 0; i < 50; i++) await setup.newPayment()
  setup.ports.time += 5 * 60_000
  const id = await begin()
  let writes = 0
  const dying: Database = {
    ...setup.database,
    write: async work => {
      writes++
      if (writes === 2) throw new Error('killed')
      return setup.database.write(work)
    },
  }
  await expect(continueRun(setup.ports, dying, id)).rejects.toThrow('killed')
  setup.ports.time += RUN_LEASE_MS + 1
  await run()
  expect((await listNightlyRuns())[0]).toMatchObject({ id, processed: 50, mismatches: [] })
})

test('a process that is asked to stop ends after its slice of the day, and the next scheduled run continues', {
  tags: ['QUALITY-47'],
}, async () => {
  for (let i = 0; i < 50; i++) await setup.newPayment()
  setup.ports.time = Date.parse('2026-01-16T01:00:00Z')
  const { ports, database } = setup
  gateway.onList = () => ports.end.abort()
  expect(await reconcileDue(ports, database)).toBe(0)
  expect((await listNightlyRuns())[0]).toMatchObject({ processed: 40, finishedAt: null })
  expect(await reconcileDue({ ...ports, stopping: testPorts().stopping }, database)).toBe(1)
  expect((await listNightlyRuns())[0]).toMatchObject({ processed: 50, mismatches: [] })
})

test('every night, the previous day is reconciled once, in any number of scheduler runs', {
  tags: ['INVARIANT-7'],
}, async () => {
  await createPaidPayment()
  await run()
  expect(await listNightlyRuns()).toEqual([])
  setup.ports.time = Date.parse('2026-01-16T00:59:00Z')
  await run()
  expect(await listNightlyRuns()).toEqual([])
  setup.ports.time = Date.parse('2026-01-16T01:00:00Z')
  await Promise.all([run(), run(), run()])
  await run()
  expect(await listNightlyRuns()).toMatchObject([
    { day: TODAY, nightly: true, byEmail: null, processed: 1, mismatchCount: 0 },
  ])
  const entries = await setup.database.read.select().from(activityLog)
  expect(entries.filter(({ activity }) => activity === 'Payments reconciled')).toMatchObject([
    { userId: null, details: '2026-01-15: 1 compared, 0 updated, 0 differ' },
  ])
})

test('missed nights are made up for, up to a week back and from the first payment on', {
  tags: ['STAFF-22'],
}, async () => {
  await createPaidPayment()
  setup.ports.time += 3 * DAY
  await run()
  expect((await listNightlyRuns()).map(({ day }) => day).sort()).toEqual([
    '2026-01-15',
    '2026-01-16',
    '2026-01-17',
  ])
  setup.ports.time += 30 * DAY
  await run()
  expect(await listNightlyRuns()).toHaveLength(3 + 7)
})

test('a portal without payments reconciles nothing, and demo data is not sent to a gateway', async () => {
  await run()
  const { transactionId } = await createPaidPayment()
  await setup.database.client.execute({
    sql: "update payments set provider = 'demo' where transaction_id = ?",
    args: [transactionId],
  })
  setup.ports.time += DAY
  await run()
  expect(await setup.database.read.select().from(reconciliations)).toEqual([])
  expect(await reconcile()).toMatchObject({ processed: 0, mismatches: [] })
})

test('the time of the first payment at a gateway is found without scanning payments without a gateway', async () => {
  const logging = loggingClient(setup.database.client)
  const { read } = openDatabase(logging.client, { serialiseWrites: true })
  expect(await findFirstStart(read)).toBeUndefined()
  const at = setup.ports.time
  await setup.newPayment()
  expect(await findFirstStart(read)).toBe(at)
  const [query] = logging.queries.values()
  const plan = query ? await planOf(setup.database.client, query) : []
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX payments_at_gateway')])
})
