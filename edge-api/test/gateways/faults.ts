import { expect } from 'vitest'
import type { Fault } from './fake-server.ts'
import type { GatewayUnderTest, World } from './fault-world.ts'

/**
 * One of the 38 faults of docs/quality.md at a gateway. `unless` gives the reason why it cannot happen there, and `instead`
 * proves it: the required input is refused or has no effect.
 */
export interface GatewayFault {
  fault: number
  behaviour: string
  run: (world: World) => Promise<void>
  unless?: (entry: GatewayUnderTest) => string | false
  instead?: (world: World) => Promise<void>
}

const MINUTE = 60_000

export const lacksWebhook = ({ secret }: GatewayUnderTest) =>
  secret === undefined && 'it publishes no webhook'
/** Checks that every callback is refused, and that its content has no effect. */
export async function testRefusedCallbacks(world: World): Promise<void> {
  const { reference } = await world.startApprovedPayment()
  const before = world.fake.server.seen.length
  expect((await world.deliver(world.fake.callBack(reference, 'any secret'))).status).toBe(401)
  expect(world.fake.server.seen).toHaveLength(before)
  await world.expectUndecided(reference)
}

const startsInTheBrowser = ({ startsByCall }: GatewayUnderTest) =>
  !startsByCall && "the payer's browser starts the payment, so no response of the gateway can be lost"
/** Checks that a start that needs no call to the gateway succeeds even while the gateway's calls fail. */
async function testStartWithoutCall(world: World): Promise<void> {
  world.fake.server.fault = '500'
  const { reference } = await world.setup.newPayment()
  world.recover()
  await world.openPaymentPage(reference)
  world.fake.endPayment(reference, world.entry.statuses.approved)
  await world.sync(reference)
  await world.expectDelivered(reference)
}

async function testLostStart(world: World, fault: Fault): Promise<void> {
  const { setup, fake, entry } = world
  const user = await setup.newUser()
  const number = await setup.newCertificate()
  fake.server.fault = fault
  await expect(setup.startPayment(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  world.recover()
  const row = (await setup.readRows()).payments.find(payment => payment.userId === user.id)
  const reference = row?.providerReference ?? ''
  expect(row?.status).toBe('unknown')
  // While the state of the payment is unknown, another start must not call the gateway.
  const startsBefore = fake.server.seen.filter(({ path }) => /initialize|payment$/.test(path)).length
  await setup.startPayment(user, number).catch(() => undefined)
  expect(fake.server.seen.filter(({ path }) => /initialize|payment$/.test(path))).toHaveLength(startsBefore)
  if (fake.requestedAmount(reference) === undefined) return
  fake.endPayment(reference, entry.statuses.approved)
  await world.sync(reference)
  await world.expectDelivered(reference)
}

async function testRequeryFaults(world: World, faults: readonly Fault[]): Promise<void> {
  const { reference } = await world.startApprovedPayment()
  for (const fault of faults) {
    world.fake.server.fault = fault
    await world.sync(reference)
    await world.expectUndecided(reference)
  }
  world.recover()
  await world.sync(reference)
  await world.expectDelivered(reference)
}

/** Faults 1 to 18: starts, requeries and callbacks. */
export const responseFaults: readonly GatewayFault[] = [
  {
    fault: 1,
    behaviour: 'a start without a response is never repeated, and its payment is delivered',
    unless: startsInTheBrowser,
    instead: testStartWithoutCall,
    run: world => testLostStart(world, 'closed'),
  },
  {
    fault: 2,
    behaviour: 'a start whose response is a 500 or garbage charges no one twice',
    unless: startsInTheBrowser,
    instead: testStartWithoutCall,
    async run(world) {
      for (const fault of ['500', 'html', 'truncated'] as const) await testLostStart(world, fault)
    },
  },
  {
    fault: 3,
    behaviour: 'a requery without a response changes nothing',
    run: world => testRequeryFaults(world, ['closed']),
  },
  {
    fault: 4,
    behaviour: 'a requery whose response is an error, a page or garbage changes nothing',
    run: world =>
      testRequeryFaults(world, ['429', '500', 'html', 'truncated', 'empty object', 'redirect', '404 page']),
  },
  {
    fault: 5,
    behaviour: 'a payment that was not found is delivered once paid',
    async run(world) {
      const { reference } = world.entry.startsByCall
        ? await world.startOpenedPayment()
        : await world.setup.newPayment()
      if (world.entry.startsByCall) world.fake.server.lostReference = reference
      await world.sync(reference)
      await world.expectUndecided(reference)
      world.recover()
      await world.openPaymentPage(reference)
      world.fake.endPayment(reference, world.entry.statuses.approved)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 6,
    behaviour: 'a stale response after the payment changes nothing',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      await world.sync(reference)
      world.fake.endPayment(reference, world.entry.statuses.open)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 7,
    behaviour: 'ten parallel copies of a callback are stored once and produce one letter',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const { length } = (await world.setup.readRows()).inbox
      const responses = await Promise.all(Array.from({ length: 10 }, () => world.report(reference)))
      expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
      // The sandbox's fake sends the same event number each time, like a gateway that delivers one event again.
      expect((await world.setup.readRows()).inbox.length).toBeLessThanOrEqual(length + 1)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 8,
    behaviour: 'a callback before the response to the start syncs the payment',
    unless: entry => lacksWebhook(entry) || startsInTheBrowser(entry),
    async instead(world) {
      const { reference } = await world.setup.newPayment()
      await world.report(reference)
      await world.expectUndecided(reference)
    },
    async run(world) {
      const { setup, fake, entry } = world
      fake.server.beforeReply = async ({ body }) => {
        const reference = /"(?:reference|request_id)":"(\w+)"/.exec(body)?.[1]
        if (!reference || fake.requestedAmount(reference) === undefined) return
        fake.server.beforeReply = undefined
        fake.endPayment(reference, entry.statuses.approved)
        expect((await world.report(reference)).status).toBe(200)
      }
      const user = await setup.newUser()
      await setup.startPayment(user, await setup.newCertificate())
      await setup.waitUntilIdle()
      const userPayment = (await setup.readRows()).payments.find(({ userId }) => userId === user.id)
      await world.sync(userPayment?.providerReference ?? '')
      await world.expectDelivered(userPayment?.providerReference ?? '')
    },
  },
  {
    fault: 9,
    behaviour: 'a payment reported after the attempt expired is delivered',
    async run(world) {
      const { reference } = await world.startOpenedPayment()
      world.setup.ports.time += 31 * MINUTE
      await world.runJobs()
      world.fake.endPayment(reference, world.entry.statuses.approved)
      await world.report(reference)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 10,
    behaviour: 'a callback about the end of a payment syncs it without one about its start',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      expect((await world.report(reference)).status).toBe(200)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 11,
    behaviour: 'a failure reported after success leaves the payment paid',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      await world.sync(reference)
      world.fake.endPayment(reference, world.entry.statuses.declined)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 12,
    behaviour: 'a success reported after a failure produces the letter',
    async run(world) {
      const { reference } = await world.startOpenedPayment()
      world.fake.endPayment(reference, world.entry.statuses.declined)
      await world.sync(reference)
      expect((await world.findPayment(reference)).status).toBe('failed')
      world.fake.endPayment(reference, world.entry.statuses.approved)
      await world.sync(reference)
      await world.expectDelivered(reference)
    },
  },
  {
    fault: 13,
    behaviour: 'without a callback, the scheduler delivers the payment and sends the email',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const { length } = (await world.setup.readRows()).outbox
      world.setup.ports.time += MINUTE
      await world.runJobs()
      await world.expectDelivered(reference)
      expect((await world.setup.readRows()).outbox.length).toBeGreaterThan(length)
    },
  },
  {
    fault: 14,
    behaviour: 'a callback with a wrong or missing signature is refused',
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const { raw, headers } = world.fake.callBack(reference, 'the secret of someone else')
      for (const changed of [headers, {}]) {
        expect((await world.deliver({ raw, headers: changed })).status).toBe(401)
        await world.expectUndecided(reference)
      }
    },
  },
  {
    fault: 15,
    behaviour: 'a callback with re-serialised JSON is refused',
    unless: lacksWebhook,
    instead: testRefusedCallbacks,
    async run(world) {
      const { reference } = await world.startApprovedPayment()
      const { raw, headers } = world.fake.callBack(reference, world.entry.secret ?? '')
      const reformatted = JSON.stringify(JSON.parse(raw), null, 1)
      expect((await world.deliver({ raw: reformatted, headers })).status).toBe(401)
      await world.expectUndecided(reference)
    },
  },
  {
    fault: 16,
    behaviour: 'a report about one payment does not mark another as paid',
    async run(world) {
      const { reference: paid } = await world.startApprovedPayment()
      const { reference: unpaid } = await world.startOpenedPayment()
      for (let times = 0; times < 2; times++) await world.report(paid)
      await world.sync(paid)
      await world.sync(unpaid)
      await world.expectDelivered(paid)
      await world.expectUndecided(unpaid)
    },
  },
  {
    fault: 17,
    behaviour: 'a forged browser return does not mark the payment as paid',
    async run(world) {
      const { reference } = await world.startOpenedPayment()
      const fields = {
        request_id: reference,
        'status-code': '00',
        'status-msg': 'APPROVED',
        status: 'success',
      }
      const query = new URLSearchParams(fields)
      expect((await world.request(`/payments/return?${query}`)).status).toBe(200)
      expect((await world.request('/payments/return', { method: 'POST', body: query })).status).toBe(200)
      await world.expectUndecided(reference)
    },
  },
  {
    fault: 18,
    behaviour: 'a forged window message changes nothing',
    unless: () => 'it happens in the browser; the return page is the same for every outcome of the payment',
    async instead(world) {
      const { reference: paid } = await world.startApprovedPayment()
      await world.sync(paid)
      const { reference: unpaid } = await world.startOpenedPayment()
      const pages = await Promise.all(
        [paid, unpaid].map(async reference => {
          const { transactionId } = await world.findPayment(reference)
          const page = await world.request(`/payments/return?request_id=${reference}`)
          return (await page.text()).replaceAll(transactionId, 'id')
        }),
      )
      expect(pages[0]).toBe(pages[1])
    },
    run: async () => undefined,
  },
]
