import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { insertHint } from '../payments/inbox-store.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const run = () => runScheduledJobs(bench.ports, bench.database)
const statuses = async () => (await bench.rows()).payments.map(payment => payment.status)

test('fault 13: the scheduler syncs the payment of a payer who closed every tab, and sends the email', {
  tags: ['FAULT-13'],
}, async () => {
  const { reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded')
  expect(await run()).toMatchObject({ requeries: 0 })
  expect(await statuses()).toEqual(['pending'])
  bench.ports.time += 20 * SECOND
  expect(await run()).toMatchObject({ requeries: 1, mailed: 1 })
  expect(await statuses()).toEqual(['paid'])
  expect(bench.ports.sent).toMatchObject([{ subject: 'Your verification is complete' }])
  bench.ports.time += 8 * DAY
  expect(await run()).toMatchObject({ requeries: 0, mailed: 0 })
})

test('fault 33: two parallel runs requery each payment once', { tags: ['FAULT-33'] }, async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => bench.newPayment()))
  for (const { reference } of made) bench.gateway.end(reference, 'succeeded')
  bench.ports.time += 20 * SECOND
  const sums = await Promise.all([run(), run(), run()])
  expect(sums.reduce((sum, { requeries }) => sum + requeries, 0)).toBe(8)
  expect(bench.gateway.requeries).toBe(8)
  const rows = await bench.rows()
  expect(rows.letters).toHaveLength(8)
  expect(bench.ports.sent).toHaveLength(8)
})

test('an unpaid payment expires soon after its deadline, and becomes paid if money is received later', async () => {
  const { reference } = await bench.newPayment()
  for (let minute = 0; minute < 31; minute++) {
    bench.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['expired'])
  bench.gateway.end(reference, 'succeeded')
  for (let minute = 0; minute < 45; minute++) {
    bench.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['paid'])
})

test('a start that never finished becomes unknown, until the gateway reports its state', async () => {
  let tellGateway: () => void = () => undefined
  bench.gateway.onInitiate = async (_, proceed) => {
    tellGateway = () => void proceed()
    // The process dies here: the response is never written.
    return new Promise(() => undefined)
  }
  const user = await bench.newUser()
  const number = await bench.newCertificate()
  const lost = bench.start(user, number)
  lost.catch(() => undefined)
  await expect.poll(() => bench.gateway.orders.length).toBe(1)
  tellGateway()
  bench.ports.time += 3 * MINUTE
  await run()
  expect(await statuses()).toEqual(['unknown'])
  bench.gateway.end(bench.gateway.orders[0]?.reference ?? '', 'succeeded')
  bench.ports.time += 10 * MINUTE
  await run()
  expect(await statuses()).toEqual(['paid'])
})

test('when the schedule is exhausted the payment goes under review, may be started again, and can still be paid', async () => {
  const { reference, user, number } = await bench.newPayment()
  bench.gateway.end(reference, 'processing')
  bench.ports.time += 20 * SECOND
  await run()
  expect(await statuses()).toEqual(['processing'])
  bench.ports.time += 8 * DAY
  await run()
  expect((await bench.rows()).payments).toMatchObject([{ status: 'review', resolution: 'review' }])
  expect((await bench.start(user, number)).kind).toBe('initiated')
  bench.gateway.end(reference, 'succeeded')
  bench.ports.time += 2 * DAY
  await run()
  const { payments } = await bench.rows()
  const first = payments.find(payment => payment.providerReference === reference)
  expect(first).toMatchObject({ status: 'paid', resolution: 'verified' })
})

test('a gateway that is down keeps payments pending; they are synced when it is back', async () => {
  const { reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded')
  bench.gateway.onRequery = async () => {
    throw new Error('down')
  }
  for (let minute = 0; minute < 10; minute++) {
    bench.ports.time += MINUTE
    await run()
  }
  expect(await statuses()).toEqual(['pending'])
  expect(bench.gateway.requeries).toBeLessThan(8)
  bench.gateway.onRequery = async (_, proceed) => proceed()
  // The step at 20 minutes, with maximum jitter.
  bench.ports.time += 13 * MINUTE
  await run()
  expect(await statuses()).toEqual(['paid'])
})

test('the scheduler processes a stored callback', async () => {
  const { reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded')
  const hint = { provider: 'sandbox', eventKey: 'evt', reference, raw: '{}', receivedAt: bench.ports.time }
  for (let copy = 0; copy < 3; copy++) await bench.database.write(tx => insertHint(tx, hint))
  bench.gateway.onRequery = async () => {
    throw new Error('down')
  }
  bench.ports.time += MINUTE
  await run()
  expect((await bench.rows()).inbox).toMatchObject([{ attempts: 1, processedAt: null }])
  bench.gateway.onRequery = async (_, proceed) => proceed()
  bench.ports.time += MINUTE
  await run()
  expect((await bench.rows()).inbox).toMatchObject([{ attempts: 2, processedAt: bench.ports.time }])
  expect(await statuses()).toEqual(['paid'])
})
