import { expect, test } from 'vitest'
import { gatewayFindings } from './lib/gateway-doctor.mjs'

/* What `npm run doctor -- --gateway` says before a gateway goes live. */

const NOW = Date.UTC(2026, 10, 23, 12)
const live = {
  NODE_ENV: 'production',
  PAYMENT_PROVIDER: 'paystack',
  PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
  PAYMENT_PAYSTACK_CHECKOUT_URL: 'https://checkout.paystack.com',
  PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_of_the_test',
  PAYMENT_MINIMUM_AMOUNT: '50',
  PUBLIC_URL: 'https://verify.example.edu.ng',
}

interface World {
  key?: number
  currency?: string
  date?: number
  webhook?: number
  fee?: number
  down?: boolean
}

/** The gateway and the portal as `world` has them; all is well unless it says otherwise. */
function answering({
  key = 200,
  currency = 'NGN',
  date = NOW,
  webhook = 401,
  fee = 5000,
  down = false,
}: World) {
  return async (address: string | URL | Request) => {
    const { host, pathname } = new URL(String(address))
    if (host === 'api.paystack.co') {
      if (down) throw new TypeError('fetch failed')
      const headers = { date: new Date(date).toUTCString() }
      return pathname === '/balance'
        ? Response.json({ status: true, data: [{ currency, balance: 0 }] }, { status: key, headers })
        : Response.json({ status: true }, { headers })
    }
    if (pathname.endsWith('/webhooks/paystack')) return Response.json({}, { status: webhook })
    return Response.json({ verification_fee: fee, currency: 'NGN' })
  }
}

async function wrong(env: Record<string, string | undefined>, world: World = {}) {
  const findings = await gatewayFindings('paystack', env, { fetch: answering(world), now: () => NOW })
  expect(JSON.stringify(findings)).not.toContain('sk_live_of_the_test')
  return findings.filter(([, fine, , optional]) => !fine && !optional).map(([what]) => what)
}

test('a gateway that is ready has nothing wrong', async () => {
  expect(await wrong(live)).toEqual([])
})

test.each<[string, Record<string, string | undefined>, World, RegExp]>([
  ['another provider', { PAYMENT_PROVIDER: 'sandbox' }, {}, /^PAYMENT_PROVIDER/],
  ['a missing variable', { PAYMENT_PAYSTACK_CHECKOUT_URL: undefined }, {}, /^the variables/],
  ['a test key', { PAYMENT_PAYSTACK_SECRET_KEY: 'sk_test_1' }, {}, /live mode/],
  ['a key that is refused', {}, { key: 401 }, /accepts the secret key/],
  ['an account without naira', {}, { currency: 'GHS' }, /takes naira/],
  ['a clock that is five minutes off', {}, { date: NOW - 300_000 }, /clock/],
  ['a gateway that is down', {}, { down: true }, /can be reached/],
  ['a portal without https', { PUBLIC_URL: 'http://verify.example.edu.ng' }, {}, /public https/],
  ['a portal at an IP address', { PUBLIC_URL: 'https://192.0.2.1' }, {}, /public https/],
  ['a webhook that is not passed on', {}, { webhook: 404 }, /call-backs reach/],
  ['a webhook that takes anything', {}, { webhook: 200 }, /call-backs reach/],
  ['a fee below the minimum', {}, { fee: 49 }, /the fee is/],
])('%s is named', async (_, changes, world, named) => {
  expect(await wrong({ ...live, ...changes }, world)).toContainEqual(expect.stringMatching(named))
})
