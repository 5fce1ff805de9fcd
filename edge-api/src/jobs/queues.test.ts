import { type QueueName, queueNames } from '@portal/contract/background-work'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { addDelivery } from '../../test/webhook-setup.ts'
import { readGauges } from '../health/gauges.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { listDeferrals, wake } from '../queues/deferral-store.ts'
import { readQueueStates } from './lateness.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/*
 * Checks that failing items never delay healthy ones. In every queue, the failing items are older than the healthy one,
 * and there are more of them than fit into a batch.
 */

const ITEM_COUNT = Number(process.env.POISON_ITEMS ?? 60)
const HOUR = 3_600_000
/** A time longer than any wait before a retry. */
const LONGER_THAN_RETRY_MS = 7 * HOUR

let setup: TestSetup
let gateway: RefundingGateway
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows
const run = async () => {
  await runScheduledJobs(setup.ports, setup.database)
  await setup.waitUntilIdle()
}
const createMany = <T>(create: (index: number) => Promise<T>) =>
  Array.from({ length: ITEM_COUNT }, (_, index) => index).reduce<Promise<T[]>>(
    async (results, index) => [...(await results), await create(index)],
    Promise.resolve([]),
  )
/** Makes every statement that writes about a failing item fail. */
const createPoisonTrigger = (timing: string, when: string) =>
  execute(`create trigger poison before ${timing} when ${when} begin select raise(abort, 'poison'); end`)

const insertUpload = (id: string) =>
  execute(`insert into uploads (id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at, lease_until)
    values ('${id}', 'u', 'staff@users.test', '${id}.csv', 0, 'fail', 'receiving', 1, 1)`)

/**
 * Each function creates failing items and then a healthy one, and returns a function that checks whether the healthy
 * one is done.
 */
const cases: Record<string, () => Promise<() => Promise<boolean>>> = {
  async erasure() {
    const scheduleErasure = (id: string, at: number) =>
      execute(`update users set erasure_due_at = ${at} where id = '${id}'`)
    await createMany(async index => scheduleErasure((await setup.newPayment()).user.id, index + 1))
    const healthy = await setup.newUser()
    await scheduleErasure(healthy.id, 1000)
    setup.ports.time += 1000
    return async () =>
      (await execute(`select erased_at from users where id = '${healthy.id}'`))[0]?.erased_at !== null
  },
  async mail() {
    const { send } = setup.ports.mailer
    setup.ports.mailer.send = mail =>
      mail.to.startsWith('poison') ? Promise.reject(new Error('refused')) : send(mail)
    const enqueue = (to: string) =>
      setup.database.write(tx => enqueueMail(tx, setup.ports, { to, subject: 's', text: 't', html: 'h' }))
    await createMany(index => enqueue(`poison${index}@users.test`))
    setup.ports.time += 1
    await enqueue('healthy@users.test')
    return async () => setup.ports.sent.some(({ to }) => to === 'healthy@users.test')
  },
  async requery() {
    const poisonedReferences = new Set(
      (await createMany(() => setup.newPayment())).map(({ reference }) => reference),
    )
    setup.gateway.onRequery = async (reference, proceed) => {
      if (poisonedReferences.has(reference)) throw new Error('no answer')
      return proceed()
    }
    setup.ports.time += 1
    const healthy = await setup.newPayment()
    setup.gateway.setOutcome(healthy.reference, 'succeeded')
    setup.ports.time += 20_000
    return async () =>
      (await execute(`select status from payments where provider_reference = '${healthy.reference}'`))[0]
        ?.status === 'paid'
  },
  async callbacks() {
    const payments = await createMany(() => setup.newPayment())
    const poisonedReferences = new Set(payments.map(({ reference }) => reference))
    setup.gateway.onRequery = async (reference, proceed) => {
      if (poisonedReferences.has(reference)) throw new Error('no answer')
      return proceed()
    }
    const healthy = await setup.newPayment()
    setup.gateway.setOutcome(healthy.reference, 'succeeded')
    await execute('update payments set next_requery_at = null')
    const storeCallback = (reference: string) =>
      setup.database.write(tx =>
        insertCallback(tx, {
          provider: 'sandbox',
          eventKey: reference,
          reference,
          raw: '{}',
          receivedAt: setup.ports.time,
        }),
      )
    for (const reference of poisonedReferences) await storeCallback(reference)
    setup.ports.time += 1
    await storeCallback(healthy.reference)
    setup.ports.time += 60_000
    return async () =>
      (await execute(`select status from payments where provider_reference = '${healthy.reference}'`))[0]
        ?.status === 'paid'
  },
  async refunds() {
    const poisonedReferences = new Set<string>()
    gateway.onRefund = async ({ providerTxnId }, proceed) => {
      if (poisonedReferences.has(providerTxnId)) throw new Error('no answer')
      return proceed()
    }
    const createOverpaid = async () => {
      const { reference } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
      return reference
    }
    for (const reference of await createMany(createOverpaid)) poisonedReferences.add(`TXN-${reference}`)
    const healthy = await createOverpaid()
    setup.ports.time += 20_000
    await run()
    await execute(
      `update refunds set status = 'approved', attempts = 1, next_try_at = ${setup.ports.time} + rowid`,
    )
    setup.ports.time += 10_000
    return async () =>
      (
        await execute(
          `select status from refunds where payment_id = (select id from payments where provider_reference = '${healthy}')`,
        )
      )[0]?.status === 'processed'
  },
  async disputes() {
    await setup.newPayment()
    const insertDispute = (id: string, at: number) =>
      execute(`insert into disputes (id, payment_id, provider, provider_dispute_id, source, state, amount_minor, currency,
        opened_at, due_at, next_at, created_at, updated_at)
        select '${id}', id, 'demo', '${id}', 'manual', 'open', 100, 'NGN', 1, 2, ${at + 1}, 1, 1 from payments limit 1`)
    await createPoisonTrigger('update on disputes', "new.id like 'poison%'")
    await createMany(index => insertDispute(`poison${index}`, index))
    await insertDispute('healthy', 1000)
    return async () =>
      (await execute("select state from disputes where id = 'healthy'"))[0]?.state === 'expired'
  },
  async letter_holders() {
    const { user, reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    setup.ports.time += 20_000
    await run()
    const [letter] = await execute('select * from letters')
    await createMany(async index => {
      const { id } = await setup.newUser()
      await execute(`insert into letters (code, ref_number, payment_item_id, user_id, certificate_id, template, status, issued_at,
        status_at, replaced_by, notified_status, pending_status, checks)
        values ('P${index}', 'P${index}', '${letter?.payment_item_id}', '${id}', 'c', '{}', 'valid', 1, ${index}, 'x', 'valid', 'withdrawn', 0)`)
    })
    await createPoisonTrigger('insert on notifications', `new.user_id <> '${user.id}'`)
    await execute(`update letters set pending_status = 'withdrawn' where user_id = '${user.id}'`)
    setup.ports.time += HOUR
    return async () =>
      (await execute(`select pending_status from letters where user_id = '${user.id}'`))[0]
        ?.pending_status === null
  },
  async uploads() {
    await createPoisonTrigger('insert on activity_log', "new.details like 'poison%'")
    await createMany(index => insertUpload(`poison${index}`))
    await insertUpload('healthy')
    return async () =>
      (await execute("select state from uploads where id = 'healthy'"))[0]?.state === 'interrupted'
  },
  async register_jobs() {
    const { id: author } = await setup.newUser()
    const enqueue = (id: string) =>
      execute(`insert into register_jobs (id, kind, state, author_id, reason, total, request_hash, created_at, lease_until)
        values ('${id}', 'bulk_edit', 'queued', '${author}', 'r', 0, '', 1, 1)`)
    await createPoisonTrigger(
      'update on register_jobs',
      "new.id like 'poison%' and new.state in ('done', 'failed')",
    )
    await createMany(index => enqueue(`poison${index}`))
    await enqueue('healthy')
    return async () =>
      (await execute("select state from register_jobs where id = 'healthy'"))[0]?.state === 'done'
  },
  async batches() {
    const { id } = await setup.newUser()
    await execute(`insert into organisations (id, name, line1, city, region, country, contact_email, phone, state, created_at, updated_at)
      values ('${id}', 'A', 'a', 'c', 's', 'n', 'a@users.test', '1', 'active', 1, 1)`)
    const startBatch = (batch: string) =>
      execute(`insert into organisation_batches (id, organisation_id, status, fee_minor, unknown_policy, total, source, livemode, created_at)
        values ('${batch}', '${id}', 'processing', 0, 'free', 0, 'portal', 1, 1)`)
    await createPoisonTrigger(
      'update on organisation_batches',
      "new.id like 'poison%' and new.status = 'completed'",
    )
    await createMany(index => startBatch(`poison${index}`))
    await startBatch('healthy')
    return async () =>
      (await execute("select status from organisation_batches where id = 'healthy'"))[0]?.status ===
      'completed'
  },
  async deliveries() {
    const { id } = await setup.newUser()
    await execute(`insert into organisations (id, name, line1, city, region, country, contact_email, phone, state, created_at, updated_at)
      values ('${id}', 'A', 'a', 'c', 's', 'n', 'a@users.test', '1', 'active', 1, 1)`)
    await createPoisonTrigger('update on organisation_deliveries', "new.id like 'poison%'")
    const dueAt = setup.ports.time - HOUR
    await createMany(index =>
      addDelivery(setup, { organisationId: id, id: `poison${index}`, at: dueAt + index }),
    )
    await addDelivery(setup, { organisationId: id, id: 'healthy', at: dueAt + 1000 })
    return async () =>
      (await execute("select status from organisation_deliveries where id = 'healthy'"))[0]?.status ===
      'delivered'
  },
  async reconciliation() {
    const startReconciliation = (id: string, leaseUntil: number) =>
      execute(`insert into reconciliations (id, day, nightly, started_at, lease_until, mismatches)
        values ('${id}', '2020-01-01', 0, 1, ${leaseUntil}, '[]')`)
    await createMany(index => startReconciliation(`poison${index}`, index))
    await startReconciliation('healthy', 1000)
    await createPoisonTrigger(
      'update on reconciliations',
      "new.id like 'poison%' and new.finished_at is not null",
    )
    return async () =>
      (await execute("select finished_at from reconciliations where id = 'healthy'"))[0]?.finished_at !== null
  },
  async activity_log() {
    await createPoisonTrigger('update on activity_log', '1')
    await execute("insert into activity_log (activity, details, at) values ('a', '', 1)")
    const { id } = await setup.newUser()
    await execute(`update users set erasure_due_at = 1 where id = '${id}'`)
    return async () =>
      (await execute(`select erased_at from users where id = '${id}'`))[0]?.erased_at !== null
  },
  async releases() {
    setup.ports.releaseLog = () => Promise.reject(new Error('no folder'))
    await execute("insert into activity_log (activity, details, at) values ('a', '', 1)")
    return async () => (await execute('select * from activity_log where hash is null')).length === 0
  },
  async retention() {
    const { id } = await setup.newUser()
    await execute(
      `insert into mail_tokens (hash, purpose, user_id, created_at, expires_at) values ('h', 'verify_email', '${id}', 1, 1)`,
    )
    await execute(`insert into sessions (id, user_id, created_at, expires_at) values ('s', '${id}', 1, 1)`)
    await createPoisonTrigger('delete on mail_tokens', '1')
    return async () => (await execute('select * from sessions')).length === 0
  },
}

/** Jobs that count as a single item: they must not delay the other queues. */
const singleItemQueues = ['activity_log', 'releases', 'retention']

describe('failing items never delay healthy ones', () => {
  test('in any queue: there is a case for every queue', () => {
    // A backup has its own thread and files, so `jobs/backup/backup.test.ts` covers it.
    expect([...Object.keys(cases), 'backup'].sort()).toEqual([...queueNames].sort())
  })

  test.each(Object.keys(cases))('in the queue %s', { tags: ['DATA-4'] }, async queue => {
    const isDone = await cases[queue]?.()
    await run()
    if (!(await isDone?.())) await run()
    await runUntilEveryItemIsTried(queue)
    expect(await isDone?.()).toBe(true)
    const { rows, total } = await listDeferrals(setup.database.read, { page: 1, perPage: 2 * ITEM_COUNT })
    const delayed = rows.filter(row => row.queue === queue)
    expect(total).toBeGreaterThanOrEqual(delayed.length)
    expect(delayed).toHaveLength(singleItemQueues.includes(queue) ? 1 : ITEM_COUNT)
    for (const { reason, attempts, nextAt } of delayed) {
      expect(reason).toMatch(/\.$/)
      expect(attempts).toBeGreaterThan(0)
      expect(nextAt).toBeGreaterThan(setup.ports.time)
    }
    // The items were retried and still fail: their age increases, and so does their delay.
    const firstTry = new Map(delayed.map(row => [row.item, row]))
    setup.ports.time += LONGER_THAN_RETRY_MS
    await run()
    const secondTry = await listTriedAfter(queue as QueueName, delayed)
    expect(secondTry.rows).toHaveLength(delayed.length)
    for (const { item, attempts, since } of secondTry.rows) {
      expect(since).toBe(firstTry.get(item)?.since)
      expect(attempts).toBeGreaterThan(firstTry.get(item)?.attempts ?? 0)
    }
    // If staff request it, each item is retried in the next run, regardless of its delay.
    for (const { item } of secondTry.rows)
      await setup.database.write(tx => wake(tx, { queue: queue as QueueName, item, now: setup.ports.time }))
    await run()
    const thirdTry = await listTriedAfter(queue as QueueName, secondTry.rows)
    const attemptsBefore = new Map(secondTry.rows.map(row => [row.item, row.attempts]))
    for (const { item, attempts } of thirdTry.rows)
      expect(attempts).toBeGreaterThan(attemptsBefore.get(item) ?? 0)
    expect(thirdTry.rows).toHaveLength(delayed.length)
    setup.ports.time += 1000
    const gauges = await readGauges(setup.ports, setup.database)
    const seconds = gauges.find(({ name }) => name === 'portal_queue_delay_seconds')?.values
    expect(seconds?.find(({ labels }) => labels?.queue === queue)?.value).toBeGreaterThanOrEqual(1)
  })
})

/** Repeats runs until `isDone`, because on a busy machine one run cannot process a thousand items. */
async function runUntil(isDone: () => Promise<boolean>) {
  for (let runs = 0; runs < 50 && !(await isDone()); runs++) await run()
}

const runUntilEveryItemIsTried = (queue: string) =>
  runUntil(async () => {
    const { time: now, environment } = setup.ports
    const states = await readQueueStates(setup.database, { now, environment })
    return states.find(state => state.queue === queue)?.untriedSince === undefined
  })

/** Returns the delayed items of a queue, once each was tried more often than in `before`. */
async function listTriedAfter(queue: QueueName, before: readonly { item: string; attempts: number }[]) {
  const attempts = new Map(before.map(row => [row.item, row.attempts]))
  const list = () => listDeferrals(setup.database.read, { queue, page: 1, perPage: 2 * ITEM_COUNT })
  await runUntil(async () => (await list()).rows.every(row => row.attempts > (attempts.get(row.item) ?? 0)))
  return await list()
}

test('an account is erased as soon as nothing prevents it, not only after the backoff', {
  tags: ['DATA-10'],
}, async () => {
  const { user, reference } = await setup.newPayment()
  await execute(`update users set erasure_due_at = 1 where id = '${user.id}'`)
  setup.gateway.setOutcome(reference, 'succeeded')
  await run()
  expect(await listDeferrals(setup.database.read, { page: 1, perPage: 1 })).toMatchObject({ total: 1 })
  setup.ports.time += 20_000
  await run()
  expect(await execute('select count(*) as n from users where erased_at is not null')).toMatchObject([
    { n: 1 },
  ])
  expect(await listDeferrals(setup.database.read, { page: 1, perPage: 1 })).toMatchObject({ total: 0 })
})

test('a failing job waits before it is retried, like an item of a queue', async () => {
  let runCount = 0
  setup.ports.releaseLog = () => {
    runCount++
    return Promise.reject(new Error('no folder'))
  }
  for (let runs = 0; runs < 3; runs++) await run()
  expect(runCount).toBe(1)
  setup.ports.time += 60_000
  await run()
  expect(runCount).toBe(2)
})

test('a retention task that failed once is no longer delayed after it succeeds, even if nothing is due', async () => {
  await createPoisonTrigger('delete on sessions', '1')
  const { id } = await setup.newUser()
  await execute(`insert into sessions (id, user_id, created_at, expires_at) values ('s', '${id}', 1, 1)`)
  await run()
  expect(await listDeferrals(setup.database.read, { page: 1, perPage: 9 })).toMatchObject({
    rows: [{ queue: 'retention', item: 'expired sessions', nextAt: setup.ports.time + HOUR }],
  })
  await execute('drop trigger poison')
  await execute('delete from sessions')
  setup.ports.time += HOUR
  await run()
  expect(await listDeferrals(setup.database.read, { page: 1, perPage: 9 })).toMatchObject({ total: 0 })
})

test('a callback that scheduled requeries have made unnecessary is no longer delayed', async () => {
  const { reference } = await setup.newPayment()
  gateway.onRequery = () => Promise.reject(new Error('no answer'))
  await execute('update payments set next_requery_at = null')
  await setup.database.write(tx =>
    insertCallback(tx, {
      provider: 'sandbox',
      eventKey: 'k',
      reference,
      raw: '{}',
      receivedAt: setup.ports.time,
    }),
  )
  const countDelayed = async () =>
    (await listDeferrals(setup.database.read, { queue: 'callbacks', page: 1, perPage: 9 })).total
  setup.ports.time += HOUR
  await run()
  expect(await countDelayed()).toBe(1)
  for (let attempt = 1; attempt < 20; attempt++) {
    setup.ports.time += LONGER_THAN_RETRY_MS
    await run()
  }
  expect(await countDelayed()).toBe(0)
})
