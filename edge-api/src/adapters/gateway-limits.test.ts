import { createHangSignal } from '@portal/fixtures/hang-guards'
import { expect, test } from 'vitest'
import { buildOrder } from '../../test/gateways/candidate.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import { paystackGateway } from './gateway-paystack.ts'

/*
 * Tests how `callGateway`, which makes all calls to gateways, handles rate limits. No gateway documents its headers:
 * `Retry-After` is defined in RFC 9110 (10.2.3), the `x-ratelimit-` ones are common practice.
 */

const date = 'Mon, 23 Nov 2026 12:00:00 GMT'
const dateIn30Seconds = 'Mon, 23 Nov 2026 12:00:30 GMT'
/** Returns a rate-limited gateway with a new address, because a pause applies to all calls to one address. */
function rateLimitedGateway(status: number, headers: Record<string, string>) {
  const calledUrls: string[] = []
  const gateway = paystackGateway({
    secretKey: 'sk_live_example',
    checkoutUrl: 'https://checkout.paystack.com',
    url: `https://limit-${crypto.randomUUID()}.example`,
    fetch: async address => {
      calledUrls.push(String(address))
      return Response.json({ status: false, message: 'Too many' }, { status, headers })
    },
  })
  return {
    seen: calledUrls,
    gateway,
    requery: () => gateway.requery('CV1', { minor: 1, currency: 'NGN' }, createHangSignal()),
  }
}

test.each([
  { 'retry-after': '30' },
  { 'retry-after': dateIn30Seconds, date },
  { 'x-ratelimit-reset': '30' },
  { 'x-ratelimit-reset': String(Date.parse(dateIn30Seconds) / 1000), date },
])('makes no calls during the pause that %j requests', async headers => {
  const { seen, gateway, requery } = rateLimitedGateway(429, headers)
  await expect(requery()).rejects.toThrow('429')
  await expect(requery()).rejects.toMatchObject({ name: 'GatewayPaused' })
  // Nothing was sent, so the gateway has started nothing.
  await expect(gateway.initiate(buildOrder(500_000, 'CV1'), createHangSignal())).rejects.toBeInstanceOf(
    GatewayRefusal,
  )
  expect(seen).toHaveLength(1)
})

test('makes no calls once the allowed number is used up, even before the gateway refuses one', async () => {
  const { seen, requery } = rateLimitedGateway(500, {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '30',
  })
  await expect(requery()).rejects.toThrow('500')
  await expect(requery()).rejects.toMatchObject({ name: 'GatewayPaused' })
  expect(seen).toHaveLength(1)
})

test.each([
  [429, {}],
  [429, { 'retry-after': 'soon' }],
  [429, { 'retry-after': date, date }],
  [200, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '30' }],
])('%d with %j requires no pause', async (status, headers) => {
  const { seen, requery } = rateLimitedGateway(status, headers)
  await expect(requery()).rejects.toThrow()
  await expect(requery()).rejects.toThrow()
  expect(seen).toHaveLength(2)
})
