import { expect } from 'vitest'
import { syncWithGateway } from '../../src/payments/sync.ts'
import type { GatewayUnderTest, World } from './fault-world.ts'
import { type GatewayFault, lacksWebhook, testRefusedCallbacks } from './faults.ts'

/* Faults 19 to 38 of docs/quality.md. */

const MINUTE = 60_000
const FEE = 500_000

/** Syncs a payment for which the gateway reports this amount. */
async function createReportedPayment(world: World, amount: number) {
  const { reference } = await world.startApprovedPayment({ amount })
  await world.sync(reference)
  return {
    status: (await world.findPayment(reference)).status,
    ...(await world.readResults(reference)),
  }
}

const hasNoRefunds = (entry: GatewayUnderTest) =>
  !(entry.provider === 'paystack' || entry.name === 'interswitch (merchant)') &&
  'it has no refund API: staff record the bank reference of their transfer'

async function createOverpayment(world: World) {
  const { reference } = await world.startApprovedPayment({ amount: FEE + 100 })
  await world.sync(reference)
  return { reference, id: (await world.findRefund(reference)).id }
}

async function testBankTransferOnly(world: World): Promise<void> {
  const { reference, id } = await createOverpayment(world)
  const calls = world.fake.server.seen.length
  await expect(world.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await world.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect((await world.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect(world.fake.server.seen).toHaveLength(calls)
}

/** Returns a database whose first write fails, which comes after the call to the gateway. */
function failOnce(world: World, error: Error) {
  const { database } = world.setup
  let hasFailed = false
  const write: typeof database.write = work => {
    if (hasFailed) return database.write(work)
    hasFailed = true
    return Promise.reject(error)
  }
  return { ...database, write }
}

async function testFailedWrite(world: World, error: Error): Promise<void> {
  const { reference } = await world.startApprovedPayment()
  const failingDatabase = failOnce(world, error)
  await syncWithGateway(world.setup.ports, failingDatabase, { reference }, 'webhook').catch(() => undefined)
  await world.sync(reference)
  await world.expectDelivered(reference)
}

export const moneyFaults: readonly GatewayFault[] = [
  {
    fault: 19,
    behaviour: 'a payment of one kobo too little produces no letter, and is refunded in full',
    async run(world) {
      expect(await createReportedPayment(world, FEE - 1)).toEqual({
        status: 'mismatched',
        letters: 0,
        refundsDue: [['mismatch', FEE - 1]],
      })
    },
  },
  {
    fault: 20,
    behaviour: 'a payment of one kobo too much is delivered, and the excess is refunded',
    async run(world) {
      expect(await createReportedPayment(world, FEE + 1)).toEqual({
        status: 'paid',
        letters: 1,
        refundsDue: [['over_payment', 1]],
      })
    },
  },
  {
    fault: 21,
    behaviour: 'a payment in dollars is not accepted as naira',
    unless: ({ reports }) => !reports.currency && 'its responses contain no currency',
    async instead(world) {
      const { reference } = await world.startApprovedPayment({ currency: 'USD' })
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
    async run(world) {
      const { reference } = await world.startApprovedPayment({ currency: 'USD' })
      await world.sync(reference)
      expect((await world.findPayment(reference)).status).toBe('mismatched')
      expect((await world.readResults(reference)).letters).toBe(0)
    },
  },
  {
    fault: 22,
    behaviour: 'naira read as kobo and kobo read as naira are detected by the amounts',
    async run(world) {
      expect(await createReportedPayment(world, FEE / 100)).toMatchObject({
        status: 'mismatched',
        letters: 0,
      })
      expect(await createReportedPayment(world, FEE * 100)).toEqual({
        status: 'paid',
        letters: 1,
        refundsDue: [['over_payment', FEE * 99]],
      })
    },
  },
  {
    fault: 23,
    behaviour: 'a success in the other mode produces no letter and no refund',
    unless: ({ reports }) =>
      !reports.mode && 'its responses contain no mode: the mode of the account is configured',
    async instead(world) {
      const { reference } = await world.startApprovedPayment({ mode: 'live' })
      await world.sync(reference)
      await world.expectDelivered(reference)
      expect((await world.findPayment(reference)).mode).toBe(world.gateway.mode)
    },
    async run(world) {
      const { reference } = await world.startApprovedPayment({ mode: 'live' })
      await world.sync(reference)
      expect((await world.findPayment(reference)).status).toBe('mismatched')
      expect(await world.readResults(reference)).toEqual({ letters: 0, refundsDue: [] })
    },
  },
  {
    fault: 24,
    behaviour: 'a crash between the response and its storage loses nothing',
    run: world => testFailedWrite(world, new Error('the process ended')),
  },
  {
    fault: 25,
    behaviour: 'five parallel clicks start one payment',
    async run(world) {
      const user = await world.setup.newUser()
      const number = await world.setup.newCertificate()
      await Promise.allSettled(Array.from({ length: 5 }, () => world.setup.startPayment(user, number)))
      const secondStart = await world.setup.startPayment(user, number)
      const userPayments = (await world.setup.readRows()).payments.filter(({ userId }) => userId === user.id)
      expect(userPayments).toHaveLength(1)
      expect(secondStart.kind === 'initiated' && secondStart.payment.providerReference).toBe(
        userPayments[0]?.providerReference,
      )
    },
  },
  {
    fault: 26,
    behaviour: 'if two payments succeed, the second is refunded',
    async run(world) {
      const { reference, user, number } = await world.startOpenedPayment()
      world.setup.ports.time += 31 * MINUTE
      const secondStart = await world.setup.startPayment(user, number)
      if (secondStart.kind !== 'initiated') throw new Error(secondStart.kind)
      const second = secondStart.payment.providerReference
      expect(second).not.toBe(reference)
      await world.openPaymentPage(second)
      for (const item of [reference, second]) {
        world.fake.endPayment(item, world.entry.statuses.approved)
        await world.sync(item)
      }
      await world.expectDelivered(reference)
      expect(await world.readResults(second)).toEqual({ letters: 0, refundsDue: [['duplicate', FEE]] })
    },
  },
  {
    fault: 27,
    behaviour: 'a fee change during the payment does not affect it',
    async run(world) {
      const { reference } = await world.startOpenedPayment()
      await world.setup.setFee(FEE * 2)
      world.fake.endPayment(reference, world.entry.statuses.approved)
      await world.sync(reference)
      await world.setup.setFee(FEE)
      expect(world.fake.requestedAmount(reference)).toBe(FEE)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 28,
    behaviour: 'a payment is refunded in full if its certificate is removed in the meantime',
    async run(world) {
      const { reference, number } = await world.startApprovedPayment()
      await world.setup.removeCertificate(number)
      await world.sync(reference)
      expect(await world.readResults(reference)).toEqual({
        letters: 0,
        refundsDue: [['certificate_vanished', FEE]],
      })
    },
  },
  {
    fault: 29,
    behaviour: 'a payment is delivered even if its user is disabled in the meantime',
    async run(world) {
      const { reference, user } = await world.startApprovedPayment()
      await world.setup.disable(user)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 30,
    behaviour: 'a closed window leaves the outcome open, and a later payment is delivered',
    async run(world) {
      const { reference } = await world.startOpenedPayment()
      world.fake.endPayment(reference, world.entry.statuses.open)
      await world.sync(reference)
      await world.expectUndecided(reference)
      world.fake.endPayment(reference, world.entry.statuses.approved)
      world.setup.ports.time += 5 * MINUTE
      await world.runJobs()
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 31,
    behaviour: 'a busy database loses nothing and delivers nothing twice',
    run: world =>
      testFailedWrite(world, Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })),
  },
  {
    fault: 32,
    behaviour: 'a payment is delivered once even if the clock is an hour ahead and then corrected',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      world.setup.ports.time += 60 * MINUTE
      await world.runJobs()
      world.setup.ports.time -= 60 * MINUTE
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 33,
    behaviour: 'only one of two parallel scheduler runs requeries the payment',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const countRequeries = () =>
        world.fake.server.seen.filter(({ method, path, query, body }) =>
          `${method} ${path}?${query} ${body}`.match(
            new RegExp(`(verify|re-query|gettransaction).*${reference}`),
          ),
        ).length
      const before = countRequeries()
      world.setup.ports.time += MINUTE
      await Promise.all([world.runJobs(), world.runJobs()])
      expect(countRequeries() - before).toBe(1)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 34,
    behaviour: 'a refund that needs attention is reported, and not repeated',
    unless: hasNoRefunds,
    instead: testBankTransferOnly,
    async run(world) {
      const { reference, id } = await createOverpayment(world)
      const { refunds } = world
      if (!refunds) throw new Error('no refunds')
      const before = refunds.count()
      world.fake.server.beforeReply = async ({ path, method }) => {
        if (method === 'POST' && /refunds?$/.test(path)) refunds.endWith('attention')
      }
      await world.approve(id)
      world.recover()
      world.setup.ports.time += 7 * 60 * MINUTE
      await world.runJobs()
      expect((await world.findRefund(reference)).status).toBe('needs_attention')
      await expect(world.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(refunds.count()).toBe(before + 1)
      expect((await world.readResults(reference)).letters).toBe(1)
    },
  },
  {
    fault: 35,
    behaviour: 'a refund whose response was lost is found, not repeated',
    unless: hasNoRefunds,
    instead: testBankTransferOnly,
    async run(world) {
      const { reference, id } = await createOverpayment(world)
      const { refunds, fake } = world
      if (!refunds) throw new Error('no refunds')
      const before = refunds.count()
      fake.server.affectedPaths = /refund/
      // The gateway receives the order, but its response is lost.
      fake.server.beforeReply = async ({ path, method }) => {
        if (method === 'POST' && /refunds?$/.test(path)) fake.server.fault = 'closed'
      }
      await world.approve(id)
      expect((await world.findRefund(reference)).status).toBe('approved')
      world.recover()
      refunds.endWith('done')
      world.setup.ports.time += 5 * MINUTE
      await world.runJobs()
      expect((await world.findRefund(reference)).status).toBe('processed')
      expect(refunds.count()).toBe(before + 1)
    },
  },
  {
    fault: 36,
    behaviour: 'a response about another reference is ignored',
    async run(world) {
      const { reference } = await world.startApprovedPayment({ reference: 'CVANOTHER000000' })
      await world.sync(reference)
      await world.expectUndecided(reference)
    },
  },
  {
    fault: 37,
    behaviour: 'an ID with dashes, in lower case, finds the payment',
    async run(world) {
      const { reference, transactionId } = await world.startApprovedPayment()
      await world.sync(reference)
      const typed = (transactionId.toLowerCase().match(/.{1,4}/g) ?? []).join('-')
      const response = await world.request(`/verification/public/payment-status/${typed}`)
      expect(await response.json()).toMatchObject({ payment_reference: reference, status: 'paid' })
    },
  },
  {
    fault: 38,
    behaviour: 'during a rotation both secrets are accepted, and no other',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const { fake, entry, previousSecret } = world
      expect((await world.deliver(fake.callBack(reference, 'a third'))).status).toBe(401)
      for (const secret of [previousSecret, entry.secret ?? ''])
        expect((await world.deliver(fake.callBack(reference, secret))).status).toBe(200)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
]
