import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { createScheduler } from './scheduled-jobs.ts'

/*
 * Tests a process that dies in the middle of a batch: its leased items are processed once, later, and other items do not wait
 * for them.
 */

const ITEM_COUNT = 10

let setup: TestSetup
let gateway: RefundingGateway
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows

test('another process completes the batch after the leases expire, and processes each item once', {
  tags: ['DATA-12'],
}, async () => {
  const { ports, database } = setup
  for (let index = 0; index < ITEM_COUNT; index++) {
    const { reference } = await setup.newPayment()
    gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  }
  ports.time += 20_000
  await createScheduler(ports, database)()
  await execute(`update refunds set status = 'approved', attempts = 1, next_try_at = ${ports.time}`)
  for (let index = 0; index < ITEM_COUNT; index++) {
    const { reference } = await setup.newPayment()
    gateway.setOutcome(reference, 'succeeded')
  }
  for (let index = 0; index < ITEM_COUNT; index++)
    await database.write(tx =>
      enqueueMail(tx, ports, { to: `m${index}@users.test`, subject: 's', text: 't', html: 'h' }),
    )
  ports.time += 20_000
  const sentBefore = ports.sent.length

  // For the database, a killed process is one whose calls never return.
  const heldItems: string[] = []
  const neverSettle = (queue: string) => {
    heldItems.push(queue)
    return new Promise<never>(() => undefined)
  }
  const portsOfDeadProcess = { ...ports, mailer: { ...ports.mailer, send: () => neverSettle('mail') } }
  gateway.onRequery = () => neverSettle('requery')
  gateway.onRefund = () => neverSettle('refund')
  void createScheduler(portsOfDeadProcess, database)()
  await expect.poll(() => new Set(heldItems).size).toBe(3)

  gateway.onRequery = async (_, proceed) => proceed()
  gateway.onRefund = async (_, proceed) => proceed()
  const run = createScheduler(ports, database)
  await run()
  // Items that the dead process had not leased were not delayed.
  expect(ports.sent.length - sentBefore).toBeGreaterThanOrEqual(
    ITEM_COUNT - heldItems.filter(what => what === 'mail').length,
  )
  ports.time += 121_000
  await run()
  await setup.waitUntilIdle()
  expect(await execute("select count(*) as n from refunds where status <> 'processed'")).toMatchObject([
    { n: 0 },
  ])
  expect(
    await execute("select count(*) as n from payments where status in ('created', 'pending')"),
  ).toMatchObject([{ n: 0 }])
  const mails = ports.sent.map(({ to }) => to).filter(to => /^m\d/.test(to))
  expect(mails.sort()).toEqual(Array.from({ length: ITEM_COUNT }, (_, index) => `m${index}@users.test`))
  expect(gateway.orderedRefunds.size).toBe(ITEM_COUNT)
})
