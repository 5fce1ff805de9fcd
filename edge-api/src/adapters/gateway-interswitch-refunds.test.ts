import { createHangSignal } from '@portal/fixtures/hang-guards'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildOrder, openPage } from '../../test/gateways/candidate.ts'
import { startFakeInterswitch } from '../../test/gateways/fake-interswitch.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import { interswitchGateway } from './gateway-interswitch.ts'

/* Tests refunds at Interswitch, over HTTP. */

let fake: Awaited<ReturnType<typeof startFakeInterswitch>>
beforeEach(async () => {
  fake = await startFakeInterswitch('merchant')
})
afterEach(() => fake.server.close())

const signal = createHangSignal
const reference = 'CV0123456789ABC'
const key = '7f1f3c5e-0d9b-4a57-9c86-1d2e3f405162:over_payment@500100'

function connect(changes: { fetch?: typeof fetch; clientSecret?: string } = {}) {
  const { url } = fake.server
  return interswitchGateway({
    payUrl: `${url}/collections/w/pay`,
    queryUrl: `${url}/collections/api/v1/gettransaction.json`,
    payItemId: fake.payItemId,
    account: { merchantCode: fake.merchantCode },
    mode: 'test',
    refunds: {
      url: `${url}/paymentgateway/api/v1/refunds`,
      tokenUrl: `${url}/passport/oauth/token`,
      clientId: fake.clientId,
      clientSecret: changes.clientSecret ?? fake.clientSecret,
    },
    fetch: changes.fetch ?? fetch,
    allowLoopback: true,
  })
}

async function payOrder() {
  await openPage(await connect().initiate(buildOrder(500_000, reference), signal()))
  fake.endPayment(reference, '00')
}
const buildRefund = (minor: number, idempotencyKey = key) => ({
  reference,
  providerTxnId: 'UBA|API|MX187|25-07-2018|249510|719456',
  amount: { minor, currency: 'NGN' as const },
  idempotencyKey,
})

test('there is no refund call if the variables for refunds are not set', () => {
  const { url } = fake.server
  const gateway = interswitchGateway({
    payUrl: url,
    queryUrl: url,
    payItemId: '1',
    account: { merchantCode: 'MX187' },
    mode: 'test',
    fetch,
    allowLoopback: true,
  })
  expect(gateway.refund).toBeUndefined()
})

test('requests a partial refund only once, under the refund’s own reference, and maps each documented status', async () => {
  await payOrder()
  const gateway = connect()
  expect(await gateway.refund?.(buildRefund(100), signal())).toMatchObject({ status: 'pending' })
  const [[ownReference, refund] = []] = [...fake.refunds]
  expect(refund).toMatchObject({ parent: reference, minor: 100, type: 'PARTIAL' })
  expect(ownReference).toMatch(/^CV-[A-Za-z0-9-]{1,97}$/)
  for (const [gatewayStatus, status] of [
    ['SUCCESS', 'pending'],
    ['PENDING', 'pending'],
    ['PROCESSING', 'pending'],
    ['COMPLETE', 'processed'],
    ['COMPLETE_MANUAL', 'processed'],
    // Staff then refund it manually, because a second request would refund twice.
    ['FAILED', 'needs_attention'],
    ['SOMETHING_NEW', 'needs_attention'],
  ] as const) {
    if (refund) refund.status = gatewayStatus
    expect(await gateway.refund?.(buildRefund(100), signal())).toEqual({ refundId: ownReference, status })
  }
  expect(fake.refunds.size).toBe(1)
})

test('a second refund of a payment and a refund of a payment that is too old are refused with a note for staff', async () => {
  await payOrder()
  const gateway = connect()
  await gateway.refund?.(buildRefund(100), signal())
  const secondRefund = gateway.refund?.(buildRefund(100, 'another'), signal())
  await expect(secondRefund).rejects.toBeInstanceOf(GatewayRefusal)
  await expect(secondRefund).rejects.toMatchObject({
    staffNote: expect.stringContaining('does not accept another'),
  })
  fake.refunds.clear()
  fake.maxRefundAgeDays = 90
  const lateRefund = gateway.refund?.(buildRefund(100), signal())
  await expect(lateRefund).rejects.toBeInstanceOf(GatewayRefusal)
  await expect(lateRefund).rejects.toMatchObject({ staffNote: expect.stringContaining('too old') })
})

test('code 10400 is a refusal, unless the gateway already knows the reference', async () => {
  await payOrder()
  fake.endPayment(reference, '51')
  await expect(connect().refund?.(buildRefund(100), signal())).rejects.toBeInstanceOf(GatewayRefusal)
})

test('a refund whose response was lost is found instead of being requested again', async () => {
  await payOrder()
  const lossyGateway = connect({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method === 'POST' && String(input).endsWith('/refunds'))
        throw new TypeError('connection lost')
      return response
    },
  })
  await expect(lossyGateway.refund?.(buildRefund(100), signal())).rejects.toThrow('connection lost')
  expect(await connect().refund?.(buildRefund(100), signal())).toMatchObject({ status: 'pending' })
  expect(fake.refunds.size).toBe(1)
})

test('a refund whose reference is already in use is pending, even if the gateway does not find it', async () => {
  await payOrder()
  const forgetfulGateway = connect({
    fetch: async (input, init) => {
      const isRefundQuery = init?.method === undefined && String(input).includes('/refunds/')
      return isRefundQuery ? Response.json({}, { status: 404 }) : fetch(input, init)
    },
  })
  await forgetfulGateway.refund?.(buildRefund(100), signal())
  expect(await forgetfulGateway.refund?.(buildRefund(100), signal())).toMatchObject({ status: 'pending' })
  expect(fake.refunds.size).toBe(1)
})

test('"error processing request" leaves it unknown whether the gateway accepted the refund', async () => {
  await payOrder()
  const failingGateway = connect({
    fetch: async (input, init) => {
      const isRefundRequest = init?.method === 'POST' && String(input).endsWith('/refunds')
      const body = { error: { code: '10500', message: 'Error processing request, please try again.' } }
      return isRefundRequest ? Response.json(body, { status: 400 }) : fetch(input, init)
    },
  })
  await expect(failingGateway.refund?.(buildRefund(100), signal())).rejects.not.toBeInstanceOf(GatewayRefusal)
})

test('a refund of more than was paid, or of an unknown payment, is refused, but a wrong secret leaves the outcome open', async () => {
  await payOrder()
  await expect(connect().refund?.(buildRefund(500_001), signal())).rejects.toBeInstanceOf(GatewayRefusal)
  const unknown = { ...buildRefund(1), reference: 'CVNOSUCHPAYMENT' }
  await expect(connect().refund?.(unknown, signal())).rejects.toBeInstanceOf(GatewayRefusal)
  const refused = connect({ clientSecret: 'wrong' }).refund?.(buildRefund(1), signal())
  await expect(refused).rejects.not.toBeInstanceOf(GatewayRefusal)
})

test.each(['500', 'html', 'truncated', 'empty object', 'closed'] as const)(
  'a response damaged by "%s" leaves the outcome of the refund open',
  async fault => {
    await payOrder()
    fake.server.fault = fault
    const refund = connect().refund?.(buildRefund(100), signal())
    await expect(refund).rejects.not.toBeInstanceOf(GatewayRefusal)
  },
)

test('sends a token with the requery of an account that requires one', async () => {
  await payOrder()
  const sentTokens: (string | null)[] = []
  const gateway = connect({
    fetch: async (input, init) => {
      if (!String(input).includes('gettransaction')) return fetch(input, init)
      const token = new Headers(init?.headers).get('authorization')
      sentTokens.push(token)
      return token ? fetch(input, init) : Response.json({ error: 'invalid_token' }, { status: 401 })
    },
  })
  const response = await gateway.requery(reference, { minor: 500_000, currency: 'NGN' }, signal())
  expect(response).toMatchObject({ outcome: 'succeeded', amountPaid: { minor: 500_000 } })
  expect(sentTokens).toEqual([null, 'Bearer fake-token'])
})
