import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const run = () => runScheduledJobs(setup.ports, setup.database)
const statuses = async () => (await setup.readRows()).payments.map(payment => payment.status)

test('fault 13: the scheduler syncs the payment of a payer who closed all tabs, and sends the email', {
  tags: ['FAULT-13'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  expect(await run()).toMatchObject({ requeries: 0 })
  expect(await statuses()).toEqual(['pending'])
  setup.ports.time += 20 * SECOND
  expect(await run()).toMatchObject({ requeries: 1, mailed: 1 })
  expect(await statuses()).toEqual(['paid'])
  expect(setup.ports.sent).toMatchObject([{ subject: 'Your verification is complete' }])
  setup.ports.time += 8 * DAY
  expect(await run()).toMatchObject({ requeries: 0, mailed: 0 })
})

test('fault 33: parallel runs requery each payment once', { tags: ['FAULT-33'] }, async () => {
  const createdPayments = await Promise.all(Array.from({ length: 8 }, () => setup.newPayment()))
  for (const { reference } of createdPayments) setup.gateway.setOutcome(reference, 'succeeded')
  setup.ports.time += 20 * SECOND
  const results = await Promise.all([run(), run(), run()])
  expect(results.reduce((sum, { requeries }) => sum + requeries, 0)).toBe(8)
  expect(setup.gateway.requeries).toBe(8)
  const rows = await setup.readRows()
  expect(rows.letters).toHaveLength(8)
  expect(setup.ports.sent).toHaveLength(8)
})

test('an unpaid payment expires soon after its deadline, and becomes paid if money is received later', async () => {
  const { reference } = await setup.newPayment()
  for (let minute = 0; minute < 31; minute++) {
    setup.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['expired'])
  setup.gateway.setOutcome(reference, 'succeeded')
  for (let minute = 0; minute < 45; minute++) {
    setup.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['paid'])
})

test('a payment whose start was interrupted becomes unknown, until the gateway reports its state', async () => {
  let completeAtGateway: () => void = () => undefined
  setup.gateway.onInitiate = async (_, proceed) => {
    completeAtGateway = () => void proceed()
    // The process dies here: the response is never written.
    return new Promise(() => undefined)
  }
  const user = await setup.newUser()
  const number = await setup.newCertificate()
  const unfinishedStart = setup.startPayment(user, number)
  unfinishedStart.catch(() => undefined)
  await expect.poll(() => setup.gateway.orders.length).toBe(1)
  completeAtGateway()
  setup.ports.time += 3 * MINUTE
  await run()
  expect(await statuses()).toEqual(['unknown'])
  setup.gateway.setOutcome(setup.gateway.orders[0]?.reference ?? '', 'succeeded')
  setup.ports.time += 10 * MINUTE
  await run()
  expect(await statuses()).toEqual(['paid'])
})

test('after the last scheduled requery, a payment goes under review but can still become paid, and another can be started', async () => {
  const { reference, user, number } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'processing')
  setup.ports.time += 20 * SECOND
  await run()
  expect(await statuses()).toEqual(['processing'])
  setup.ports.time += 8 * DAY
  await run()
  expect((await setup.readRows()).payments).toMatchObject([{ status: 'review', resolution: 'review' }])
  expect((await setup.startPayment(user, number)).kind).toBe('initiated')
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.ports.time += 2 * DAY
  await run()
  const { payments } = await setup.readRows()
  const reviewedPayment = payments.find(payment => payment.providerReference === reference)
  expect(reviewedPayment).toMatchObject({ status: 'paid', resolution: 'verified' })
})

test('payments stay pending while the gateway is down, and are synced once it is available again', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.gateway.onRequery = async () => {
    throw new Error('down')
  }
  for (let minute = 0; minute < 10; minute++) {
    setup.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['pending'])
  expect(setup.gateway.requeries).toBeLessThan(8)
  setup.gateway.onRequery = async (_, proceed) => proceed()
  // The requery at 20 minutes, with maximum jitter.
  setup.ports.time += 13 * MINUTE
  await run()
  expect(await statuses()).toEqual(['paid'])
})

test('the scheduler processes a stored callback', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const callback = {
    provider: 'sandbox',
    eventKey: 'evt',
    reference,
    raw: '{}',
    receivedAt: setup.ports.time,
  }
  for (let copy = 0; copy < 3; copy++) await setup.database.write(tx => insertCallback(tx, callback))
  setup.gateway.onRequery = async () => {
    throw new Error('down')
  }
  setup.ports.time += MINUTE
  await run()
  expect((await setup.readRows()).inbox).toMatchObject([{ attempts: 1, processedAt: null }])
  setup.gateway.onRequery = async (_, proceed) => proceed()
  setup.ports.time += MINUTE
  await run()
  expect((await setup.readRows()).inbox).toMatchObject([{ attempts: 2, processedAt: setup.ports.time }])
  expect(await statuses()).toEqual(['paid'])
})
