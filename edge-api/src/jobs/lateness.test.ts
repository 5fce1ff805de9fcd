import { queueNames } from '@portal/contract/background-work'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { addDelivery } from '../../test/webhook-setup.ts'
import { readGauges } from '../health/gauges.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { readQueueStates } from './lateness.ts'
import { createScheduler, runScheduledJobs } from './scheduled-jobs.ts'

/* Checks that due items that were never tried are reported as late, although they are not deferred and no error is logged. */

const MINUTE = 60_000

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows
const readStates = () =>
  readQueueStates(setup.database, { now: setup.ports.time, environment: setup.ports.environment })
const listUntriedQueues = async () =>
  (await readStates()).filter(({ untriedSince }) => untriedSince !== undefined).map(({ queue }) => queue)

test('no queue of a new portal has waiting items', async () => {
  await runScheduledJobs(setup.ports, setup.database)
  await execute(`update schema_migrations set applied_at = ${setup.ports.time}`)
  expect(await listUntriedQueues()).toEqual([])
})

test('due items of every queue are late until a run tries them', {
  tags: ['DATA-7'],
}, async () => {
  await runScheduledJobs(setup.ports, setup.database)
  const at = setup.ports.time
  const { user, reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.ports.time += 20_000
  await runScheduledJobs(setup.ports, setup.database)
  await setup.newPayment()
  await execute(`insert into refunds (id, payment_id, amount_minor, currency, reason, status, idempotency_key, attempts, tries,
    next_try_at, created_at, updated_at) select 'r', id, 100, 'NGN', 'over_payment', 'approved', 'k', 1, 0, ${at}, 1, 1
    from payments limit 1`)
  await execute(`insert into disputes (id, payment_id, provider, provider_dispute_id, source, state, amount_minor, currency, opened_at, due_at,
    next_at, created_at, updated_at)
    select 'd', id, 'demo', 'd', 'manual', 'open', 100, 'NGN', 1, ${at + 1}, ${at}, 1, 1 from payments limit 1`)
  await execute(`update letters set pending_status = 'withdrawn', status_at = ${at}`)
  await setup.database.write(async tx => {
    await enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' })
    await insertCallback(tx, { provider: 'sandbox', eventKey: 'k', reference, raw: '{}', receivedAt: at })
  })
  await execute(`insert into reconciliations (id, day, nightly, started_at, lease_until, mismatches)
    values ('c', '2020-01-01', 0, ${at}, ${at}, '[]')`)
  await execute(`insert into uploads (id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at, lease_until)
    values ('u', 'u', 'staff@users.test', 'u.csv', 0, 'fail', 'receiving', ${at}, ${at})`)
  await execute(`insert into register_jobs (id, kind, state, author_id, reason, total, request_hash, created_at, lease_until)
    values ('j', 'bulk_edit', 'queued', '${user.id}', 'r', 0, '', ${at}, ${at})`)
  await execute(`insert into organisations (id, name, line1, city, region, country, contact_email, phone, state, created_at, updated_at)
    values ('${user.id}', 'A', 'a', 'c', 's', 'n', 'a@users.test', '1', 'active', ${at}, ${at})`)
  await execute(`insert into organisation_batches (id, organisation_id, status, fee_minor, unknown_policy, total, source, livemode, created_at)
    values ('b', '${user.id}', 'processing', 0, 'free', 0, 'portal', 1, ${at})`)
  await addDelivery(setup, { organisationId: user.id, id: 'dlv', at })
  await execute(`update users set erasure_due_at = ${at} where id <> '${user.id}'`)
  await execute(`update schema_migrations set applied_at = ${at - 86_400_000}`)
  setup.ports.time += 16 * MINUTE
  const listLateQueues = async () =>
    (await readStates()).filter(state => state.late > 0).map(({ queue }) => queue)
  // The release log is a file; the age of the queue's last run shows how long ago it was last read.
  const databaseQueues = queueNames.filter(queue => queue !== 'releases' && queue !== 'retention')
  expect(await listLateQueues()).toEqual(databaseQueues)
  setup.ports.time += 61 * MINUTE
  expect(await listLateQueues()).toEqual(queueNames.filter(queue => queue !== 'releases'))
  const gauges = await readGauges(setup.ports, setup.database)
  const untried = gauges.find(({ name }) => name === 'portal_queue_untried_seconds')?.values
  for (const { labels, value } of untried ?? [])
    if (labels?.queue !== 'releases') expect([labels?.queue, value >= 15 * 60]).toEqual([labels?.queue, true])

  await runScheduledJobs(setup.ports, setup.database)
  await setup.waitUntilIdle()
  expect(await listLateQueues()).toEqual(['backup'])
})

test('an item that was tried is due again only at its next attempt', async () => {
  await runScheduledJobs(setup.ports, setup.database)
  await execute(`update schema_migrations set applied_at = ${setup.ports.time}`)
  const { user } = await setup.newPayment()
  await execute('update payments set next_requery_at = null')
  const day = 86_400_000
  await execute(`update users set erasure_due_at = ${setup.ports.time - 3 * day} where id = '${user.id}'`)
  await execute(`insert into uploads (id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at, lease_until)
    values ('u', 'u', 'staff@users.test', 'u.csv', 0, 'fail', 'receiving', 1, ${setup.ports.time - 3 * day})`)
  await execute(
    "create trigger poison before insert on activity_log when new.details like 'u.csv%' begin select raise(abort, 'poison'); end",
  )
  await runScheduledJobs(setup.ports, setup.database)
  expect(await listUntriedQueues()).toEqual([])
  setup.ports.time += 2 * MINUTE
  const { time } = setup.ports
  for (const { queue, untriedSince = time } of await readStates())
    expect([queue, time - untriedSince < 2 * MINUTE]).toEqual([queue, true])
  await execute('update deferrals set next_at = 0')
  expect(await listUntriedQueues()).toEqual([])
})

test('a queue whose run never ends is reported with its age, and the others continue', {
  tags: ['DATA-8'],
}, async () => {
  setup.ports.releaseLog = () => new Promise(() => undefined)
  const run = createScheduler(setup.ports, setup.database)
  void run()
  const queueAges = () =>
    new Map(setup.ports.metrics.getQueueAges().map(({ queue, seconds }) => [queue, seconds]))
  await setup.database.write(tx =>
    enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
  void run()
  await expect.poll(() => setup.ports.sent.length).toBe(1)
  await expect.poll(() => Number(queueAges().get('mail')) < Number(queueAges().get('releases'))).toBe(true)
})
