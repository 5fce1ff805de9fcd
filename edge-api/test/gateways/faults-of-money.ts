import { expect } from 'vitest'
import { syncWithGateway } from '../../src/payments/sync.ts'
import { type GatewayFault, lacksWebhook, testRefusedCallbacks } from './faults.ts'
import type { GatewayFixture, GatewayUnderTest } from './gateway-fixture.ts'

/* Faults 19 to 38 of docs/quality.md. */

const MINUTE = 60_000
const FEE = 500_000

/** Syncs a payment for which the gateway reports this amount. */
async function syncReportedPayment(fixture: GatewayFixture, amount: number) {
  const { reference } = await fixture.startApprovedPayment({ amount })
  await fixture.sync(reference)
  return {
    status: (await fixture.findPayment(reference)).status,
    ...(await fixture.readResults(reference)),
  }
}

const hasNoRefunds = (entry: GatewayUnderTest) =>
  !(entry.provider === 'paystack' || entry.name === 'interswitch (merchant)') &&
  'it has no refund API: staff record the bank reference of their transfer'

async function createOverpayment(fixture: GatewayFixture) {
  const { reference } = await fixture.startApprovedPayment({ amount: FEE + 100 })
  await fixture.sync(reference)
  return { reference, id: (await fixture.findRefund(reference)).id }
}

async function testBankTransferOnly(fixture: GatewayFixture): Promise<void> {
  const { reference, id } = await createOverpayment(fixture)
  const callsBefore = fixture.fake.server.requests.length
  await expect(fixture.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await fixture.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect((await fixture.approve(id, `FT-${reference}`)).refund.status).toBe('processed')
  expect(fixture.fake.server.requests).toHaveLength(callsBefore)
}

/** Returns a database whose first write fails, which comes after the call to the gateway. */
function createFailingDatabase(fixture: GatewayFixture, error: Error) {
  const { database } = fixture.setup
  let hasFailed = false
  const write: typeof database.write = work => {
    if (hasFailed) return database.write(work)
    hasFailed = true
    return Promise.reject(error)
  }
  return { ...database, write }
}

async function testFailedWrite(fixture: GatewayFixture, error: Error): Promise<void> {
  const { reference } = await fixture.startApprovedPayment()
  const failingDatabase = createFailingDatabase(fixture, error)
  await syncWithGateway(fixture.setup.ports, failingDatabase, { reference }, 'webhook').catch(() => undefined)
  await fixture.sync(reference)
  await fixture.expectDelivered(reference)
}

export const moneyFaults: readonly GatewayFault[] = [
  {
    fault: 19,
    behaviour: 'a payment of one kobo too little produces no letter, and is refunded in full',
    async run(fixture) {
      expect(await syncReportedPayment(fixture, FEE - 1)).toEqual({
        status: 'mismatched',
        letters: 0,
        refundsDue: [['mismatch', FEE - 1]],
      })
    },
  },
  {
    fault: 20,
    behaviour: 'a payment of one kobo too much is delivered, and the excess is refunded',
    async run(fixture) {
      expect(await syncReportedPayment(fixture, FEE + 1)).toEqual({
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
    async instead(fixture) {
      const { reference } = await fixture.startApprovedPayment({ currency: 'USD' })
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment({ currency: 'USD' })
      await fixture.sync(reference)
      expect((await fixture.findPayment(reference)).status).toBe('mismatched')
      expect((await fixture.readResults(reference)).letters).toBe(0)
    },
  },
  {
    fault: 22,
    behaviour: 'naira read as kobo and kobo read as naira are detected by the amounts',
    async run(fixture) {
      expect(await syncReportedPayment(fixture, FEE / 100)).toMatchObject({
        status: 'mismatched',
        letters: 0,
      })
      expect(await syncReportedPayment(fixture, FEE * 100)).toEqual({
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
    async instead(fixture) {
      const { reference } = await fixture.startApprovedPayment({ mode: 'live' })
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
      expect((await fixture.findPayment(reference)).mode).toBe(fixture.gateway.mode)
    },
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment({ mode: 'live' })
      await fixture.sync(reference)
      expect((await fixture.findPayment(reference)).status).toBe('mismatched')
      expect(await fixture.readResults(reference)).toEqual({ letters: 0, refundsDue: [] })
    },
  },
  {
    fault: 24,
    behaviour: 'a crash between the response and its storage loses nothing',
    run: fixture => testFailedWrite(fixture, new Error('the process ended')),
  },
  {
    fault: 25,
    behaviour: 'five parallel clicks start one payment',
    async run(fixture) {
      const user = await fixture.setup.newUser()
      const number = await fixture.setup.newCertificate()
      await Promise.allSettled(Array.from({ length: 5 }, () => fixture.setup.startPayment(user, number)))
      const secondStart = await fixture.setup.startPayment(user, number)
      const userPayments = (await fixture.setup.readRows()).payments.filter(
        ({ userId }) => userId === user.id,
      )
      expect(userPayments).toHaveLength(1)
      expect(secondStart.kind === 'initiated' && secondStart.payment.providerReference).toBe(
        userPayments[0]?.providerReference,
      )
    },
  },
  {
    fault: 26,
    behaviour: 'if two payments succeed, the second is refunded',
    async run(fixture) {
      const { reference, user, number } = await fixture.startOpenedPayment()
      fixture.setup.ports.time += 31 * MINUTE
      const secondStart = await fixture.setup.startPayment(user, number)
      if (secondStart.kind !== 'initiated') throw new Error(secondStart.kind)
      const secondReference = secondStart.payment.providerReference
      expect(secondReference).not.toBe(reference)
      await fixture.openPaymentPage(secondReference)
      for (const item of [reference, secondReference]) {
        fixture.fake.endPayment(item, fixture.entry.statuses.approved)
        await fixture.sync(item)
      }
      await fixture.expectDelivered(reference)
      expect(await fixture.readResults(secondReference)).toEqual({
        letters: 0,
        refundsDue: [['duplicate', FEE]],
      })
    },
  },
  {
    fault: 27,
    behaviour: 'a fee change during the payment does not affect it',
    async run(fixture) {
      const { reference } = await fixture.startOpenedPayment()
      await fixture.setup.setFee(FEE * 2)
      fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
      await fixture.sync(reference)
      await fixture.setup.setFee(FEE)
      expect(fixture.fake.requestedAmount(reference)).toBe(FEE)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 28,
    behaviour: 'a payment is refunded in full if its certificate is removed in the meantime',
    async run(fixture) {
      const { reference, number } = await fixture.startApprovedPayment()
      await fixture.setup.removeCertificate(number)
      await fixture.sync(reference)
      expect(await fixture.readResults(reference)).toEqual({
        letters: 0,
        refundsDue: [['certificate_vanished', FEE]],
      })
    },
  },
  {
    fault: 29,
    behaviour: 'a payment is delivered even if its user is disabled in the meantime',
    async run(fixture) {
      const { reference, user } = await fixture.startApprovedPayment()
      await fixture.setup.disable(user)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 30,
    behaviour: 'a closed window leaves the outcome open, and a later payment is delivered',
    async run(fixture) {
      const { reference } = await fixture.startOpenedPayment()
      fixture.fake.endPayment(reference, fixture.entry.statuses.open)
      await fixture.sync(reference)
      await fixture.expectUndecided(reference)
      fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
      fixture.setup.ports.time += 5 * MINUTE
      await fixture.runJobs()
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 31,
    behaviour: 'a busy database loses nothing and delivers nothing twice',
    run: fixture =>
      testFailedWrite(fixture, Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })),
  },
  {
    fault: 32,
    behaviour: 'a payment is delivered once even if the clock is an hour ahead and then corrected',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      fixture.setup.ports.time += 60 * MINUTE
      await fixture.runJobs()
      fixture.setup.ports.time -= 60 * MINUTE
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 33,
    behaviour: 'only one of two parallel scheduler runs requeries the payment',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const countRequeries = () =>
        fixture.fake.server.requests.filter(({ method, path, query, body }) =>
          `${method} ${path}?${query} ${body}`.match(
            new RegExp(`(verify|re-query|gettransaction).*${reference}`),
          ),
        ).length
      const countBefore = countRequeries()
      fixture.setup.ports.time += MINUTE
      await Promise.all([fixture.runJobs(), fixture.runJobs()])
      expect(countRequeries() - countBefore).toBe(1)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 34,
    behaviour: 'a refund that needs attention is reported, and not repeated',
    unless: hasNoRefunds,
    instead: testBankTransferOnly,
    async run(fixture) {
      const { reference, id } = await createOverpayment(fixture)
      const { refunds } = fixture
      if (!refunds) throw new Error('no refunds')
      const countBefore = refunds.count()
      fixture.fake.server.beforeReply = async ({ path, method }) => {
        if (method === 'POST' && /refunds?$/.test(path)) refunds.endWith('attention')
      }
      await fixture.approve(id)
      fixture.recover()
      fixture.setup.ports.time += 7 * 60 * MINUTE
      await fixture.runJobs()
      expect((await fixture.findRefund(reference)).status).toBe('needs_attention')
      await expect(fixture.approve(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(refunds.count()).toBe(countBefore + 1)
      expect((await fixture.readResults(reference)).letters).toBe(1)
    },
  },
  {
    fault: 35,
    behaviour: 'a refund whose response was lost is found, not repeated',
    unless: hasNoRefunds,
    instead: testBankTransferOnly,
    async run(fixture) {
      const { reference, id } = await createOverpayment(fixture)
      const { refunds, fake } = fixture
      if (!refunds) throw new Error('no refunds')
      const before = refunds.count()
      fake.server.affectedPaths = /refund/
      // The gateway receives the order, but its response is lost.
      fake.server.beforeReply = async ({ path, method }) => {
        if (method === 'POST' && /refunds?$/.test(path)) fake.server.fault = 'closed'
      }
      await fixture.approve(id)
      expect((await fixture.findRefund(reference)).status).toBe('approved')
      fixture.recover()
      refunds.endWith('done')
      fixture.setup.ports.time += 5 * MINUTE
      await fixture.runJobs()
      expect((await fixture.findRefund(reference)).status).toBe('processed')
      expect(refunds.count()).toBe(before + 1)
    },
  },
  {
    fault: 36,
    behaviour: 'a response about another reference is ignored',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment({ reference: 'CVANOTHER000000' })
      await fixture.sync(reference)
      await fixture.expectUndecided(reference)
    },
  },
  {
    fault: 37,
    behaviour: 'an ID with dashes, in lower case, finds the payment',
    async run(fixture) {
      const { reference, transactionId } = await fixture.startApprovedPayment()
      await fixture.sync(reference)
      const typedId = (transactionId.toLowerCase().match(/.{1,4}/g) ?? []).join('-')
      const response = await fixture.request(`/verification/public/payment-status/${typedId}`)
      expect(await response.json()).toMatchObject({ payment_reference: reference, status: 'paid' })
    },
  },
  {
    fault: 38,
    behaviour: 'during a rotation both secrets are accepted, and no other',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const { fake, entry, previousSecret } = fixture
      expect((await fixture.deliverCallback(fake.callBack(reference, 'a third'))).status).toBe(401)
      for (const secret of [previousSecret, entry.secret ?? ''])
        expect((await fixture.deliverCallback(fake.callBack(reference, secret))).status).toBe(200)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
]
