import { expect } from 'vitest'
import type { Fault } from './fake-server.ts'
import type { GatewayFixture, GatewayUnderTest } from './gateway-fixture.ts'

/**
 * One of the 38 faults of docs/quality.md at a gateway. If the fault cannot happen there, `unless` returns the reason, and
 * `instead` proves it: the required input is refused or has no effect.
 */
export interface GatewayFault {
  fault: number
  behaviour: string
  run: (fixture: GatewayFixture) => Promise<void>
  unless?: (entry: GatewayUnderTest) => string | false
  instead?: (fixture: GatewayFixture) => Promise<void>
}

const MINUTE = 60_000

export const lacksWebhook = ({ secret }: GatewayUnderTest) =>
  secret === undefined && 'it publishes no webhook'
/** Checks that every callback is refused, and that its content has no effect. */
export async function testRefusedCallbacks(fixture: GatewayFixture): Promise<void> {
  const { reference } = await fixture.startApprovedPayment()
  const before = fixture.fake.server.requests.length
  expect((await fixture.deliverCallback(fixture.fake.callBack(reference, 'any secret'))).status).toBe(401)
  expect(fixture.fake.server.requests).toHaveLength(before)
  await fixture.expectUndecided(reference)
}

const startsInTheBrowser = ({ startsByCall }: GatewayUnderTest) =>
  !startsByCall && "the payer's browser starts the payment, so no response of the gateway can be lost"
/** Checks that a start that needs no call to the gateway succeeds even while the gateway's calls fail. */
async function testStartWithoutCall(fixture: GatewayFixture): Promise<void> {
  fixture.fake.server.fault = '500'
  const { reference } = await fixture.setup.newPayment()
  fixture.recover()
  await fixture.openPaymentPage(reference)
  fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
  await fixture.sync(reference)
  await fixture.expectDelivered(reference)
}

async function testLostStart(fixture: GatewayFixture, fault: Fault): Promise<void> {
  const { setup, fake, entry } = fixture
  const user = await setup.newUser()
  const number = await setup.newCertificate()
  fake.server.fault = fault
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  fixture.recover()
  const row = (await setup.readRows()).payments.find(payment => payment.userId === user.id)
  const reference = row?.providerReference ?? ''
  expect(row?.status).toBe('unknown')
  // While the state of the payment is unknown, another start must not call the gateway.
  const startsBefore = fake.server.requests.filter(({ path }) => /initialize|payment$/.test(path)).length
  await setup.startPayment(user, number).catch(() => undefined)
  expect(fake.server.requests.filter(({ path }) => /initialize|payment$/.test(path))).toHaveLength(
    startsBefore,
  )
  if (fake.requestedAmount(reference) === undefined) return
  fake.endPayment(reference, entry.statuses.approved)
  await fixture.sync(reference)
  await fixture.expectDelivered(reference)
}

async function testRequeryFaults(fixture: GatewayFixture, faults: readonly Fault[]): Promise<void> {
  const { reference } = await fixture.startApprovedPayment()
  for (const fault of faults) {
    fixture.fake.server.fault = fault
    await fixture.sync(reference)
    await fixture.expectUndecided(reference)
  }
  fixture.recover()
  await fixture.sync(reference)
  await fixture.expectDelivered(reference)
}

/** Faults 1 to 18: starts, requeries and callbacks. */
export const responseFaults: readonly GatewayFault[] = [
  {
    fault: 1,
    behaviour: 'a start without a response is never repeated, and its payment is delivered',
    unless: startsInTheBrowser,
    instead: testStartWithoutCall,
    run: fixture => testLostStart(fixture, 'closed'),
  },
  {
    fault: 2,
    behaviour: 'a start whose response is a 500 or garbage charges no one twice',
    unless: startsInTheBrowser,
    instead: testStartWithoutCall,
    async run(fixture) {
      for (const fault of ['500', 'html', 'truncated'] as const) await testLostStart(fixture, fault)
    },
  },
  {
    fault: 3,
    behaviour: 'a requery without a response changes nothing',
    run: fixture => testRequeryFaults(fixture, ['closed']),
  },
  {
    fault: 4,
    behaviour: 'a requery whose response is an error, a page or garbage changes nothing',
    run: fixture =>
      testRequeryFaults(fixture, ['429', '500', 'html', 'truncated', 'empty object', 'redirect', '404 page']),
  },
  {
    fault: 5,
    behaviour: 'a payment that was not found is delivered once paid',
    async run(fixture) {
      const { reference } = fixture.entry.startsByCall
        ? await fixture.startOpenedPayment()
        : await fixture.setup.newPayment()
      if (fixture.entry.startsByCall) fixture.fake.server.lostReference = reference
      await fixture.sync(reference)
      await fixture.expectUndecided(reference)
      fixture.recover()
      await fixture.openPaymentPage(reference)
      fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 6,
    behaviour: 'a stale response after the payment changes nothing',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      await fixture.sync(reference)
      fixture.fake.endPayment(reference, fixture.entry.statuses.open)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 7,
    behaviour: 'ten parallel copies of a callback are stored once and produce one letter',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const { length } = (await fixture.setup.readRows()).inbox
      const responses = await Promise.all(Array.from({ length: 10 }, () => fixture.report(reference)))
      expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
      // The sandbox's fake sends the same event number each time, like a gateway that delivers one event again.
      expect((await fixture.setup.readRows()).inbox.length).toBeLessThanOrEqual(length + 1)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 8,
    behaviour: 'a callback before the response to the start syncs the payment',
    unless: entry => lacksWebhook(entry) || startsInTheBrowser(entry),
    async instead(fixture) {
      const { reference } = await fixture.setup.newPayment()
      await fixture.report(reference)
      await fixture.expectUndecided(reference)
    },
    async run(fixture) {
      const { setup, fake, entry } = fixture
      fake.server.beforeReply = async ({ body }) => {
        const reference = /"(?:reference|request_id)":"(\w+)"/.exec(body)?.[1]
        if (!reference || fake.requestedAmount(reference) === undefined) return
        fake.server.beforeReply = undefined
        fake.endPayment(reference, entry.statuses.approved)
        expect((await fixture.report(reference)).status).toBe(200)
      }
      const user = await setup.newUser()
      await setup.startPayment(user, await setup.newCertificate())
      await setup.waitUntilIdle()
      const userPayment = (await setup.readRows()).payments.find(({ userId }) => userId === user.id)
      await fixture.sync(userPayment?.providerReference ?? '')
      await fixture.expectDelivered(userPayment?.providerReference ?? '')
    },
  },
  {
    fault: 9,
    behaviour: 'a payment reported after the attempt expired is delivered',
    async run(fixture) {
      const { reference } = await fixture.startOpenedPayment()
      fixture.setup.ports.time += 31 * MINUTE
      await fixture.runJobs()
      fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
      await fixture.report(reference)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 10,
    behaviour: 'a callback about the end of a payment syncs it without one about its start',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      expect((await fixture.report(reference)).status).toBe(200)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 11,
    behaviour: 'a failure reported after success leaves the payment paid',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      await fixture.sync(reference)
      fixture.fake.endPayment(reference, fixture.entry.statuses.declined)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 12,
    behaviour: 'a success reported after a failure produces the letter',
    async run(fixture) {
      const { reference } = await fixture.startOpenedPayment()
      fixture.fake.endPayment(reference, fixture.entry.statuses.declined)
      await fixture.sync(reference)
      expect((await fixture.findPayment(reference)).status).toBe('failed')
      fixture.fake.endPayment(reference, fixture.entry.statuses.approved)
      await fixture.sync(reference)
      await fixture.expectDelivered(reference)
    },
  },
  {
    fault: 13,
    behaviour: 'without a callback, the scheduler delivers the payment and sends the email',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const { length } = (await fixture.setup.readRows()).outbox
      fixture.setup.ports.time += MINUTE
      await fixture.runJobs()
      await fixture.expectDelivered(reference)
      expect((await fixture.setup.readRows()).outbox.length).toBeGreaterThan(length)
    },
  },
  {
    fault: 14,
    behaviour: 'a callback with a wrong or missing signature is refused',
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const { raw, headers } = fixture.fake.callBack(reference, 'the secret of someone else')
      for (const changed of [headers, {}]) {
        expect((await fixture.deliverCallback({ raw, headers: changed })).status).toBe(401)
        await fixture.expectUndecided(reference)
      }
    },
  },
  {
    fault: 15,
    behaviour: 'a callback with re-serialised JSON is refused',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(fixture) {
      const { reference } = await fixture.startApprovedPayment()
      const { raw, headers } = fixture.fake.callBack(reference, fixture.entry.secret ?? '')
      const reformatted = JSON.stringify(JSON.parse(raw), null, 1)
      expect((await fixture.deliverCallback({ raw: reformatted, headers })).status).toBe(401)
      await fixture.expectUndecided(reference)
    },
  },
  {
    fault: 16,
    behaviour: 'a report about one payment does not mark another as paid',
    async run(fixture) {
      const { reference: paid } = await fixture.startApprovedPayment()
      const { reference: unpaid } = await fixture.startOpenedPayment()
      for (let times = 0; times < 2; times++) await fixture.report(paid)
      await fixture.sync(paid)
      await fixture.sync(unpaid)
      await fixture.expectDelivered(paid)
      await fixture.expectUndecided(unpaid)
    },
  },
  {
    fault: 17,
    behaviour: 'a forged browser return does not mark the payment as paid',
    async run(fixture) {
      const { reference } = await fixture.startOpenedPayment()
      const fields = {
        request_id: reference,
        'status-code': '00',
        'status-msg': 'APPROVED',
        status: 'success',
      }
      const query = new URLSearchParams(fields)
      expect((await fixture.request(`/payments/return?${query}`)).status).toBe(200)
      expect((await fixture.request('/payments/return', { method: 'POST', body: query })).status).toBe(200)
      await fixture.expectUndecided(reference)
    },
  },
  {
    fault: 18,
    behaviour: 'a forged window message changes nothing',
    unless: () => 'it happens in the browser; the return page is the same for every outcome of the payment',
    async instead(fixture) {
      const { reference: paid } = await fixture.startApprovedPayment()
      await fixture.sync(paid)
      const { reference: unpaid } = await fixture.startOpenedPayment()
      const pages = await Promise.all(
        [paid, unpaid].map(async reference => {
          const { transactionId } = await fixture.findPayment(reference)
          const page = await fixture.request(`/payments/return?request_id=${reference}`)
          return (await page.text()).replaceAll(transactionId, 'id')
        }),
      )
      expect(pages[0]).toBe(pages[1])
    },
    run: async () => undefined,
  },
]
