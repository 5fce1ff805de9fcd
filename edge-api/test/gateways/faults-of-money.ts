import { expect } from 'vitest'
import { syncWithGateway } from '../../src/payments/sync.ts'
import type { Entry, World } from './fault-world.ts'
import { type GatewayFault, testRefusedCallbacks, whyNoWebhook } from './faults.ts'

/* Faults 19 to 38 of docs/quality.md. */

const MINUTE = 60_000
const FEE = 500_000

/** Syncs a payment for which the gateway reports this amount. */
async function createReportedPayment(world: World, amount: number) {
  const { reference } = await world.approved({ amount })
  await world.sync(reference)
  return {
    status: (await world.payment(reference)).status,
    ...(await world.resultsOf(reference)),
  }
}

const hasNoRefunds = (entry: Entry) =>
  !(entry.provider === 'paystack' || entry.name === 'interswitch (merchant)') &&
  'it makes no refunds: staff record the bank reference of their transfer'

async function createOverpayment(world: World) {
  const { reference } = await world.approved({ amount: FEE + 100 })
  await world.sync(reference)
  return { reference, id: (await world.refundOf(reference)).id }
}

async function bankOnly(world: World): Promise<void> {
  const { reference, id } = await createOverpayment(world)
  const calls = world.fake.server.seen.length
  await expect(world.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await world.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect((await world.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect(world.fake.server.seen).toHaveLength(calls)
}

/** Returns a database that fails once, after the gateway was called. */
function failOnce(world: World, error: Error) {
  const { database } = world.setup
  let failed = false
  const write: typeof database.write = work => {
    if (failed) return database.write(work)
    failed = true
    return Promise.reject(error)
  }
  return { ...database, write }
}

async function testFailedWrite(world: World, error: Error): Promise<void> {
  const { reference } = await world.approved()
  const broken = failOnce(world, error)
  await syncWithGateway(world.setup.ports, broken, { reference }, 'webhook').catch(() => undefined)
  await world.sync(reference)
  await world.expectDelivered(reference)
}

export const faultsOfMoney: readonly GatewayFault[] = [
  {
    fault: 19,
    what: 'a payment of one kobo too little produces no letter, and is refunded in full',
    async run(world) {
      expect(await createReportedPayment(world, FEE - 1)).toEqual({
        status: 'mismatched',
        letters: 0,
        due: [['mismatch', FEE - 1]],
      })
    },
  },
  {
    fault: 20,
    what: 'a payment of one kobo too much is delivered, and the excess is refunded',
    async run(world) {
      expect(await createReportedPayment(world, FEE + 1)).toEqual({
        status: 'paid',
        letters: 1,
        due: [['over_payment', 1]],
      })
    },
  },
  {
    fault: 21,
    what: 'dollars do not count as naira',
    unless: ({ reports }) => !reports.currency && 'its answers name no currency',
    async instead(world) {
      const { reference } = await world.approved({ currency: 'USD' })
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
    async run(world) {
      const { reference } = await world.approved({ currency: 'USD' })
      await world.sync(reference)
      expect((await world.payment(reference)).status).toBe('mismatched')
      expect((await world.resultsOf(reference)).letters).toBe(0)
    },
  },
  {
    fault: 22,
    what: 'naira read as kobo and kobo read as naira are detected by the amounts',
    async run(world) {
      expect(await createReportedPayment(world, FEE / 100)).toMatchObject({
        status: 'mismatched',
        letters: 0,
      })
      expect(await createReportedPayment(world, FEE * 100)).toEqual({
        status: 'paid',
        letters: 1,
        due: [['over_payment', FEE * 99]],
      })
    },
  },
  {
    fault: 23,
    what: 'a success in the other mode produces no letter and no refund',
    unless: ({ reports }) => !reports.mode && 'its answers name no mode: that of the account is configured',
    async instead(world) {
      const { reference } = await world.approved({ mode: 'live' })
      await world.sync(reference)
      await world.expectDelivered(reference)
      expect((await world.payment(reference)).mode).toBe(world.gateway.mode)
    },
    async run(world) {
      const { reference } = await world.approved({ mode: 'live' })
      await world.sync(reference)
      expect((await world.payment(reference)).status).toBe('mismatched')
      expect(await world.resultsOf(reference)).toEqual({ letters: 0, due: [] })
    },
  },
  {
    fault: 24,
    what: 'a crash between the response and its storage loses nothing',
    run: world => testFailedWrite(world, new Error('the process ended')),
  },
  {
    fault: 25,
    what: 'five parallel clicks start one payment',
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
    what: 'if two payments succeed, the second is refunded',
    async run(world) {
      const { reference, user, number } = await world.opened()
      world.setup.ports.time += 31 * MINUTE
      const secondStart = await world.setup.startPayment(user, number)
      if (secondStart.kind !== 'initiated') throw new Error(secondStart.kind)
      const second = secondStart.payment.providerReference
      expect(second).not.toBe(reference)
      await world.openPageOf(second)
      for (const item of [reference, second]) {
        world.fake.settle(item, world.entry.statuses.approved)
        await world.sync(item)
      }
      await world.expectDelivered(reference)
      expect(await world.resultsOf(second)).toEqual({ letters: 0, due: [['duplicate', FEE]] })
    },
  },
  {
    fault: 27,
    what: 'a fee change during the payment does not affect it',
    async run(world) {
      const { reference } = await world.opened()
      await world.setup.setFee(FEE * 2)
      world.fake.settle(reference, world.entry.statuses.approved)
      await world.sync(reference)
      await world.setup.setFee(FEE)
      expect(world.fake.requestedAmount(reference)).toBe(FEE)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 28,
    what: 'a payment is refunded in full if its certificate is removed in the meantime',
    async run(world) {
      const { reference, number } = await world.approved()
      await world.setup.removeCertificate(number)
      await world.sync(reference)
      expect(await world.resultsOf(reference)).toEqual({ letters: 0, due: [['certificate_vanished', FEE]] })
    },
  },
  {
    fault: 29,
    what: 'a payment is delivered even if its user is disabled in the meantime',
    async run(world) {
      const { reference, user } = await world.approved()
      await world.setup.disable(user)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 30,
    what: 'a closed window leaves the outcome open, and a later payment is delivered',
    async run(world) {
      const { reference } = await world.opened()
      world.fake.settle(reference, world.entry.statuses.open)
      await world.sync(reference)
      await world.expectUndecided(reference)
      world.fake.settle(reference, world.entry.statuses.approved)
      world.setup.ports.time += 5 * MINUTE
      await world.runJobs()
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 31,
    what: 'a busy database loses nothing and delivers nothing twice',
    run: world =>
      testFailedWrite(world, Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })),
  },
  {
    fault: 32,
    what: 'a payment is delivered once even if the clock is an hour ahead and then corrected',
    async run(world) {
      const { reference } = await world.approved()
      world.setup.ports.time += 60 * MINUTE
      await world.runJobs()
      world.setup.ports.time -= 60 * MINUTE
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 33,
    what: 'only one of two parallel scheduler runs requeries the payment',
    async run(world) {
      const { reference } = await world.approved()
      const requeries = () =>
        world.fake.server.seen.filter(({ method, path, query, body }) =>
          `${method} ${path}?${query} ${body}`.match(
            new RegExp(`(verify|re-query|gettransaction).*${reference}`),
          ),
        ).length
      const before = requeries()
      world.setup.ports.time += MINUTE
      await Promise.all([world.runJobs(), world.runJobs()])
      expect(requeries() - before).toBe(1)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 34,
    what: 'a refund that needs attention is reported, and not repeated',
    unless: hasNoRefunds,
    instead: bankOnly,
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
      expect((await world.refundOf(reference)).status).toBe('needs_attention')
      await expect(world.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(refunds.count()).toBe(before + 1)
      expect((await world.resultsOf(reference)).letters).toBe(1)
    },
  },
  {
    fault: 35,
    what: 'a refund whose response was lost is found, not repeated',
    unless: hasNoRefunds,
    instead: bankOnly,
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
      expect((await world.refundOf(reference)).status).toBe('approved')
      world.recover()
      refunds.endWith('done')
      world.setup.ports.time += 5 * MINUTE
      await world.runJobs()
      expect((await world.refundOf(reference)).status).toBe('processed')
      expect(refunds.count()).toBe(before + 1)
    },
  },
  {
    fault: 36,
    what: 'a response about another reference is ignored',
    async run(world) {
      const { reference } = await world.approved({ reference: 'CVANOTHER000000' })
      await world.sync(reference)
      await world.expectUndecided(reference)
    },
  },
  {
    fault: 37,
    what: 'an ID with dashes, in lower case, finds the payment',
    async run(world) {
      const { reference, transactionId } = await world.approved()
      await world.sync(reference)
      const typed = (transactionId.toLowerCase().match(/.{1,4}/g) ?? []).join('-')
      const response = await world.request(`/verification/public/payment-status/${typed}`)
      expect(await response.json()).toMatchObject({ payment_reference: reference, status: 'paid' })
    },
  },
  {
    fault: 38,
    what: 'during a rotation both secrets are accepted, and no other',
    unless: whyNoWebhook,
    instead: testRefusedCallbacks,
    async run(world) {
      const { reference } = await world.approved()
      const { fake, entry, FORMER_SECRET } = world
      expect((await world.deliver(fake.callBack(reference, 'a third'))).status).toBe(401)
      for (const secret of [FORMER_SECRET, entry.secret ?? ''])
        expect((await world.deliver(fake.callBack(reference, secret))).status).toBe(200)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
]
