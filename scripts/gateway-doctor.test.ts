import { describe, expect, test } from 'vitest'
import { startFakeBpms } from '../edge-api/test/gateways/fake-bpms.ts'
import { startFakeInterswitch } from '../edge-api/test/gateways/fake-interswitch.ts'
import { startFakePaystack } from '../edge-api/test/gateways/fake-paystack.ts'
import { gatewayFindings } from './lib/gateway-doctor.mjs'

/* Tests the findings of `npm run doctor -- --gateway`. */

const NOW = Date.UTC(2026, 10, 23, 12)
const liveVariables = {
  NODE_ENV: 'production',
  PAYMENT_PROVIDER: 'paystack',
  PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
  PAYMENT_PAYSTACK_CHECKOUT_URL: 'https://checkout.paystack.com',
  PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_of_the_test',
  PUBLIC_URL: 'https://verify.example.edu.ng',
}

interface DoctorSetup {
  keyStatus?: number
  currency?: string
  date?: number
  webhookStatus?: number
  fee?: number
  down?: boolean
}

/** Simulates the responses of the gateway and the portal; by default, everything is correct. */
function simulatedFetch({
  keyStatus = 200,
  currency = 'NGN',
  date = NOW,
  webhookStatus = 401,
  fee = 5000,
  down = false,
}: DoctorSetup) {
  return async (address: string | URL | Request) => {
    const { host, pathname } = new URL(String(address))
    if (host === 'api.paystack.co') {
      if (down) throw new TypeError('fetch failed')
      const headers = { date: new Date(date).toUTCString() }
      return pathname === '/balance'
        ? Response.json({ status: true, data: [{ currency, balance: 0 }] }, { status: keyStatus, headers })
        : Response.json({ status: true }, { headers })
    }
    if (pathname.endsWith('/webhooks/paystack')) return Response.json({}, { status: webhookStatus })
    return Response.json({ verification_fee: fee, currency: 'NGN' })
  }
}

async function findProblems(env: Record<string, string | undefined>, setup: DoctorSetup = {}) {
  const findings = await gatewayFindings('paystack', env, { fetch: simulatedFetch(setup), now: () => NOW })
  expect(JSON.stringify(findings)).not.toContain('sk_live_of_the_test')
  return findings.filter(([, fine, , optional]) => !fine && !optional).map(([what]) => what)
}

test('reports no problem for a gateway that is ready', async () => {
  expect(await findProblems(liveVariables)).toEqual([])
})

test.each<[string, Record<string, string | undefined>, DoctorSetup, RegExp]>([
  ['another provider', { PAYMENT_PROVIDER: 'sandbox' }, {}, /^PAYMENT_PROVIDER/],
  ['a missing variable', { PAYMENT_PAYSTACK_CHECKOUT_URL: undefined }, {}, /^the variables/],
  ['a test key', { PAYMENT_PAYSTACK_SECRET_KEY: 'sk_test_1' }, {}, /live mode/],
  ['a public key', { PAYMENT_PAYSTACK_SECRET_KEY: 'pk_live_1' }, {}, /every key is a secret key/],
  [
    'keys of both modes',
    { PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_1,sk_test_1' },
    {},
    /every key is a secret key/,
  ],
  ['no key at all', { PAYMENT_PAYSTACK_SECRET_KEY: '' }, {}, /live mode/],
  ['no PUBLIC_URL', { PUBLIC_URL: undefined }, {}, /public https/],
  ['a minimum that is not a number', { PAYMENT_MINIMUM_AMOUNT: 'fifty' }, {}, /^PAYMENT_MINIMUM_AMOUNT/],
  ['a key that is refused', {}, { keyStatus: 401 }, /accepts the secret key/],
  ['an account without naira', {}, { currency: 'GHS' }, /accepts naira/],
  ['a clock that is five minutes off', {}, { date: NOW - 300_000 }, /clock/],
  ['a gateway that is down', {}, { down: true }, /can be reached/],
  ['a portal without https', { PUBLIC_URL: 'http://verify.example.edu.ng' }, {}, /public https/],
  ['a portal at an IP address', { PUBLIC_URL: 'https://192.0.2.1' }, {}, /public https/],
  ['a webhook that does not reach the portal', {}, { webhookStatus: 404 }, /webhooks reach/],
  ['a webhook that accepts unsigned requests', {}, { webhookStatus: 200 }, /webhooks reach/],
  ['a fee below the minimum', {}, { fee: 49 }, /the fee is/],
])('reports %s', async (_, changes, setup, expected) => {
  expect(await findProblems({ ...liveVariables, ...changes }, setup)).toContainEqual(
    expect.stringMatching(expected),
  )
})

test('applies the minimum that the gateway publishes, unless PAYMENT_MINIMUM_AMOUNT is set', async () => {
  expect(await findProblems({ ...liveVariables, PAYMENT_MINIMUM_AMOUNT: '10' }, { fee: 20 })).toEqual([])
  expect(await findProblems(liveVariables, { fee: 0 })).toEqual([])
})

test('notes that the portal cannot see the sender addresses of webhooks, unless TRUST_PROXY is set', async () => {
  const readNotes = async (changes: Record<string, string>) =>
    (
      await gatewayFindings(
        'paystack',
        { ...liveVariables, ...changes },
        { fetch: simulatedFetch({}), now: () => NOW },
      )
    )
      .filter(([, fine]) => !fine)
      .map(([what]) => what)
  const PAYMENT_WEBHOOK_ADDRESSES = '52.31.139.75'
  expect(await readNotes({ PAYMENT_WEBHOOK_ADDRESSES })).toEqual([
    'the portal sees the sender address of webhooks',
  ])
  expect(await readNotes({ PAYMENT_WEBHOOK_ADDRESSES, TRUST_PROXY: '1' })).toEqual([])
})

test('checks the refund client of Interswitch, and uses its token for the requery', async () => {
  const { env, url, close } = await startInterswitch('merchant')
  const variables = {
    ...{ ...portal, ...env, PAYMENT_PROVIDER: 'interswitch' },
    PAYMENT_INTERSWITCH_TOKEN_URL: `${url}/passport/oauth/token`,
    PAYMENT_INTERSWITCH_CLIENT_ID: 'fake-client-id',
  }
  const findProblemsWith = async (secret: string) => {
    const fetched: typeof fetch = async (address, init) => {
      const { origin, pathname } = new URL(String(address))
      if (origin !== url) return Response.json({ verification_fee: 5000, currency: 'NGN' }, { status: 401 })
      const isUnauthenticatedRequery =
        pathname.endsWith('gettransaction.json') && !new Headers(init?.headers).has('authorization')
      return isUnauthenticatedRequery
        ? Response.json({}, { status: 401, headers: { date: new Date().toUTCString() } })
        : fetch(address, init)
    }
    const environment = { ...variables, PAYMENT_INTERSWITCH_CLIENT_SECRET: secret }
    const findings = await gatewayFindings('interswitch', environment, { fetch: fetched })
    return findings.filter(([, fine, , note]) => !fine && !note).map(([what]) => what)
  }
  try {
    expect(await findProblemsWith('fake-client-secret')).toEqual([])
    expect(await findProblemsWith('wrong')).toEqual([
      'the gateway knows the account',
      'refunds are made at the gateway',
    ])
  } finally {
    await close()
  }
})

/* Runs the checks against simulated gateways, over HTTP. */

interface SimulatedGateway {
  url: string
  name: string
  env: Record<string, string>
  /** Settings of a different account; the doctor must report them. */
  wrongAccount: Record<string, string>
  testMode: Record<string, string>
  close: () => Promise<void>
}

const portal = { NODE_ENV: 'production', PUBLIC_URL: 'https://verify.example.edu.ng' }

const starters: Record<string, () => Promise<SimulatedGateway>> = {
  async paystack() {
    const fake = await startFakePaystack()
    const { url, close } = fake.server
    const env = { PAYMENT_PAYSTACK_URL: url, PAYMENT_PAYSTACK_CHECKOUT_URL: url }
    return {
      ...{ url, close, name: 'paystack' },
      env: { ...env, PAYMENT_PAYSTACK_SECRET_KEY: fake.secretKey },
      wrongAccount: { PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_of_someone_else' },
      testMode: {},
    }
  },
  async bpms() {
    const fake = await startFakeBpms()
    const { url, close } = fake.server
    return {
      ...{ url, close, name: 'bpms' },
      env: {
        PAYMENT_BPMS_URL: `${url}/checkout`,
        PAYMENT_BPMS_SCHOOL_CODE: fake.schoolCode,
        PAYMENT_BPMS_PUBLIC_KEY: fake.publicKey,
        PAYMENT_BPMS_PRIVATE_KEY: fake.privateKey,
        PAYMENT_BPMS_REVENUE_CODE: 'CV01',
      },
      wrongAccount: { PAYMENT_BPMS_SCHOOL_CODE: '1' },
      testMode: { PAYMENT_BPMS_MODE: 'test' },
    }
  },
  'interswitch (product)': () => startInterswitch('product'),
  'interswitch (merchant)': () => startInterswitch('merchant'),
}

async function startInterswitch(variant: 'product' | 'merchant'): Promise<SimulatedGateway> {
  const fake = await startFakeInterswitch(variant)
  const { url, close } = fake.server
  const account: Record<string, string> =
    variant === 'product'
      ? { PAYMENT_INTERSWITCH_PRODUCT_ID: fake.productId, PAYMENT_INTERSWITCH_MAC_KEY: fake.macKey }
      : { PAYMENT_INTERSWITCH_MERCHANT_CODE: fake.merchantCode }
  return {
    ...{ url, close, name: 'interswitch' },
    env: {
      PAYMENT_INTERSWITCH_PAY_URL: `${url}/collections/w/pay`,
      PAYMENT_INTERSWITCH_QUERY_URL: `${url}/collections/api/v1/gettransaction.json`,
      PAYMENT_INTERSWITCH_PAY_ITEM_ID: fake.payItemId,
      ...account,
    },
    wrongAccount:
      variant === 'product'
        ? { PAYMENT_INTERSWITCH_MAC_KEY: 'E'.repeat(128) }
        : { PAYMENT_INTERSWITCH_MERCHANT_CODE: 'MX1' },
    testMode: { PAYMENT_INTERSWITCH_MODE: 'test' },
  }
}

describe.each(Object.entries(starters))('%s', (_, start) => {
  test('is checked for its account, mode, clock, fee and webhook', async () => {
    const { url, name, env, wrongAccount, testMode, close } = await start()
    const find = async (
      changes: Record<string, string> = {},
      { webhookStatus = 401, fee = 5000, currency = 'NGN', offset = 0 } = {},
    ) => {
      const fetched: typeof fetch = async (address, init) => {
        const { origin, pathname } = new URL(String(address))
        if (origin === url) return fetch(address, init)
        if (pathname.endsWith(`/webhooks/${name}`)) return Response.json({}, { status: webhookStatus })
        return Response.json({ verification_fee: fee, currency })
      }
      const environment = { ...portal, PAYMENT_PROVIDER: name, ...env, ...changes }
      const findings = await gatewayFindings(name, environment, {
        fetch: fetched,
        now: () => Date.now() + offset,
      })
      const secrets = Object.entries(environment).filter(([variable]) => /KEY$/.test(variable))
      for (const [, secret] of secrets) expect(JSON.stringify(findings)).not.toContain(secret)
      return findings.filter(([, fine, , note]) => !fine && !note).map(([what]) => what)
    }
    try {
      // The Paystack fake uses a test key.
      const liveModeProblem = name === 'paystack' ? ['the gateway is in live mode'] : []
      expect(await find()).toEqual(liveModeProblem)
      expect((await find(wrongAccount)).join()).toMatch(/account|secret key|school code/)
      expect(await find(testMode)).toEqual(['the gateway is in live mode'])
      expect(await find({}, { webhookStatus: 404 })).toEqual([
        ...liveModeProblem,
        expect.stringContaining('webhooks reach'),
      ])
      expect(await find({}, { currency: 'USD' })).toContain('fees are in naira')
      expect((await find({}, { offset: 120_000 })).join()).toContain('clock')
      expect(await find({ PAYMENT_MINIMUM_AMOUNT: '100' }, { fee: 99 })).toEqual([
        ...liveModeProblem,
        expect.stringContaining('minimum (100 naira)'),
      ])
      await close()
      expect((await find()).join()).toContain('can be reached')
    } finally {
      await close().catch(() => undefined)
    }
  })
})
