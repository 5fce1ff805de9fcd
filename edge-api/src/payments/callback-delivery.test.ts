import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, ScriptedGateway, type TestSetup } from '../../test/payment-setup.ts'
import { sandboxGateway } from '../adapters/gateway-sandbox.ts'
import { createApp } from '../app.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { syncWithGateway } from './sync.ts'

/* Tests callbacks under real conditions: an earlier callback is lost, a clock is wrong, or the secret was just rotated. */

const SECRETS = ['webhook-secret-now-in-use', 'webhook-secret-before-it']
const MINUTE = 60_000

class SignedGateway extends ScriptedGateway {
  private readonly sandbox = sandboxGateway({
    url: 'http://gateway.test',
    webhookSecret: SECRETS.join(','),
    fetch,
  })
  override parseWebhook = this.sandbox.parseWebhook
}

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup(new SignedGateway())
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

/** Delivers a callback about an approved transaction, signed at `at` (milliseconds) by the gateway's clock. */
async function deliverCallback(reference: string, { at = setup.ports.time, secret = SECRETS[0] ?? '' } = {}) {
  const raw = JSON.stringify({
    event_id: `evt_${reference}`,
    event: 'transaction.approved',
    request_id: reference,
    status: 'APPROVED',
  })
  const t = Math.floor(at / 1000)
  const signatureHeader = `t=${t},v1=${createHmac('sha512', secret).update(`${t}.${raw}`).digest('hex')}`
  const response = await app.fetch(
    new Request('http://localhost:8080/api/payments/webhooks/sandbox', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': signatureHeader },
      body: raw,
    }),
  )
  await setup.waitUntilIdle()
  return response.status
}

const readStatus = async (transactionId: string) =>
  (await setup.readRows()).payments.find(row => row.transactionId === transactionId)?.status

test('fault 10: a payment is synced if a callback reports its outcome but none reported its start, and an unknown payment is ignored', {
  tags: ['FAULT-10'],
}, async () => {
  const { reference, transactionId } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  expect(await deliverCallback(reference)).toBe(200)
  expect(await readStatus(transactionId)).toBe('paid')

  setup.gateway.setOutcome('CVNEVERSTARTED0', 'succeeded', {
    amountPaid: { minor: 500_000, currency: 'NGN' },
  })
  expect(await deliverCallback('CVNEVERSTARTED0')).toBe(200)
  const rows = await setup.readRows()
  expect(rows.payments).toHaveLength(1)
  expect(rows.letters).toHaveLength(1)
  // Both are marked as processed, because a callback for an unknown payment must not be retried forever.
  expect(rows.inbox.map(callback => callback.processedAt)).toEqual([setup.ports.time, setup.ports.time])
})

test.each([
  ['behind', -4 * MINUTE],
  ['ahead', 4 * MINUTE],
])(
  'fault 32: a callback is accepted if the gateway’s clock is four minutes %s',
  { tags: ['FAULT-32'] },
  async (_, skew) => {
    const { reference, transactionId } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    expect(await deliverCallback(reference, { at: setup.ports.time + skew })).toBe(200)
    expect(await readStatus(transactionId)).toBe('paid')
  },
)

test.each([
  ['behind', -6 * MINUTE],
  ['ahead', 6 * MINUTE],
])(
  'fault 32: a callback is ignored if the gateway’s clock is six minutes %s, and the scheduler syncs the payment',
  { tags: ['QUALITY-22', 'FAULT-32'] },
  async (_, skew) => {
    const { reference, transactionId } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    expect(await deliverCallback(reference, { at: setup.ports.time + skew })).toBe(401)
    expect(await readStatus(transactionId)).toBe('pending')
    setup.ports.time += MINUTE
    await runScheduledJobs(setup.ports, setup.database)
    expect(await readStatus(transactionId)).toBe('paid')
  },
)

test('fault 32: if the portal’s clock was set back, a payment stays pending and is synced later', {
  tags: ['FAULT-32'],
}, async () => {
  const { reference, transactionId } = await setup.newPayment()
  setup.ports.time -= 60 * MINUTE
  await runScheduledJobs(setup.ports, setup.database)
  expect(await readStatus(transactionId)).toBe('pending')
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'user')
  expect(await readStatus(transactionId)).toBe('paid')
})

test('fault 38: after a rotation, a callback signed with the previous secret is accepted, but not one signed with an older secret', {
  tags: ['FAULT-38'],
}, async () => {
  const { reference, transactionId } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  expect(await deliverCallback(reference, { secret: 'webhook-secret-long-gone' })).toBe(401)
  expect(await readStatus(transactionId)).toBe('pending')
  expect(await deliverCallback(reference, { secret: SECRETS[1] ?? '' })).toBe(200)
  expect(await readStatus(transactionId)).toBe('paid')
})
