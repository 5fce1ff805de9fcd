// Checks the configuration of a payment gateway before it goes live. Charges nothing and shows no key.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'

/** @typedef {[what: string, isOk: boolean, fix: string, optional?: boolean]} Finding */

/** Maximum difference of the clocks in milliseconds; beyond it, signatures and expiry times fail. */
const MAX_SKEW_MS = 60_000

const splitKeys = env => (env.PAYMENT_PAYSTACK_SECRET_KEY ?? '').split(',').map(key => key.trim())

/** The variables of each gateway, and how they show that it is in live mode. */
const gateways = {
  paystack: {
    needs: ['PAYMENT_PAYSTACK_URL', 'PAYMENT_PAYSTACK_CHECKOUT_URL', 'PAYMENT_PAYSTACK_SECRET_KEY'],
    address: 'PAYMENT_PAYSTACK_URL',
    isLive: env => splitKeys(env).every(key => key.startsWith('sk_live_')),
    // paystack.com/docs/api (Supported Currency), read 2026-11-23.
    minimum: 50,
    findings: checkPaystack,
  },
  interswitch: {
    needs: [
      'PAYMENT_INTERSWITCH_PAY_URL',
      'PAYMENT_INTERSWITCH_QUERY_URL',
      'PAYMENT_INTERSWITCH_PAY_ITEM_ID',
    ],
    address: 'PAYMENT_INTERSWITCH_QUERY_URL',
    isLive: env => (env.PAYMENT_INTERSWITCH_MODE ?? 'live') === 'live',
    minimum: 0,
    findings: checkInterswitch,
  },
  bpms: {
    needs: [
      'PAYMENT_BPMS_URL',
      'PAYMENT_BPMS_SCHOOL_CODE',
      'PAYMENT_BPMS_PUBLIC_KEY',
      'PAYMENT_BPMS_PRIVATE_KEY',
      'PAYMENT_BPMS_REVENUE_CODE',
    ],
    address: 'PAYMENT_BPMS_URL',
    isLive: env => (env.PAYMENT_BPMS_MODE ?? 'live') === 'live',
    minimum: 0,
    findings: checkBpms,
  },
}

export const gatewayNames = Object.keys(gateways)

const request = (fetch, url, init = {}) =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init })

/**
 * Returns the findings about an account at Paystack.
 * @returns {Promise<Finding[]>}
 */
async function checkPaystack(env, fetch) {
  const keys = splitKeys(env)
  const [key = ''] = keys
  const response = await request(fetch, `${env.PAYMENT_PAYSTACK_URL.replace(/\/+$/, '')}/balance`, {
    headers: { authorization: `Bearer ${key}` },
  }).catch(() => undefined)
  const body = await response?.json().catch(() => undefined)
  const balances = Array.isArray(body?.data) ? body.data : []
  const modes = new Set(keys.map(item => /^sk_(test|live)_./.exec(item)?.[1]))
  const isAccepted = response?.status === 200
  return [
    [
      'every key is a secret key, all of one mode',
      modes.size === 1 && !modes.has(undefined),
      'All keys must begin with sk_live_, or all with sk_test_; public keys (pk_) do not work. Otherwise the portal does not start.',
    ],
    [
      'the gateway accepts the secret key',
      isAccepted,
      'Copy the secret key from Settings, API Keys & Webhooks of the Paystack dashboard.',
    ],
    [
      'the account accepts naira',
      balances.some(({ currency }) => currency === 'NGN'),
      isAccepted ? 'Ask Paystack to open the account for NGN.' : 'This can only be checked with a valid key.',
    ],
  ]
}

/** The reference of a payment that does not exist. */
const NO_PAYMENT = 'DOCTOR000000001'

/**
 * Returns the findings about an account at Interswitch. It is valid if a requery of a non-existent payment reports that the
 * payment does not exist.
 * @returns {Promise<Finding[]>}
 */
async function checkInterswitch(env, fetch) {
  const { PAYMENT_INTERSWITCH_PRODUCT_ID: product = '', PAYMENT_INTERSWITCH_MAC_KEY: macKey = '' } = env
  const merchant = env.PAYMENT_INTERSWITCH_MERCHANT_CODE
  const url = new URL(env.PAYMENT_INTERSWITCH_QUERY_URL)
  const query = merchant ? { merchantcode: merchant } : { productid: product }
  for (const [field, value] of Object.entries({ ...query, transactionreference: NO_PAYMENT, amount: '5000' }))
    url.searchParams.set(field, value)
  const hash = createHash('sha512').update(`${product}${NO_PAYMENT}${macKey}`).digest('hex').toUpperCase()
  const headers = merchant ? {} : { hash }
  const token = env.PAYMENT_INTERSWITCH_TOKEN_URL ? await fetchInterswitchToken(env, fetch) : undefined
  let response = await request(fetch, url, { headers }).catch(() => undefined)
  // Newer accounts require a token for a requery.
  if (token && (response?.status === 401 || response?.status === 403))
    response = await request(fetch, url, { headers: { ...headers, authorization: `Bearer ${token}` } }).catch(
      () => undefined,
    )
  const body = await response?.json().catch(() => undefined)
  return [
    [
      'the gateway knows the account',
      body?.ResponseCode === 'Z25',
      `It should return Z25 for a non-existent payment${body?.ResponseCode ? `, but returns ${body.ResponseCode}` : ''}. Check the merchant code, or the product ID and MAC key.`,
    ],
    [
      'refunds are made at the gateway',
      token !== undefined,
      env.PAYMENT_INTERSWITCH_TOKEN_URL
        ? 'The token endpoint refuses the client. Check the client ID and secret, and the token URL.'
        : 'Without the refund variables, each refund is made through the bank and recorded manually.',
      !env.PAYMENT_INTERSWITCH_TOKEN_URL,
    ],
    [
      'webhooks can be verified',
      Boolean(env.PAYMENT_INTERSWITCH_WEBHOOK_SECRET),
      'Without PAYMENT_INTERSWITCH_WEBHOOK_SECRET they are rejected, and only scheduled requeries find payments.',
      true,
    ],
  ]
}

/** Returns a token for the refund client, or undefined if the gateway refuses it. */
async function fetchInterswitchToken(env, fetch) {
  const client = `${env.PAYMENT_INTERSWITCH_CLIENT_ID}:${env.PAYMENT_INTERSWITCH_CLIENT_SECRET}`
  const response = await request(fetch, env.PAYMENT_INTERSWITCH_TOKEN_URL, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(client).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  }).catch(() => undefined)
  const body = await response?.json().catch(() => undefined)
  return typeof body?.access_token === 'string' ? body.access_token : undefined
}

/**
 * Returns the findings about an account at BPMS. How that gateway responds for a non-existent payment is not published.
 * @returns {Promise<Finding[]>}
 */
async function checkBpms(env, fetch) {
  const response = await request(fetch, `${env.PAYMENT_BPMS_URL.replace(/\/+$/, '')}/re-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      public_key: env.PAYMENT_BPMS_PUBLIC_KEY,
      school_code: env.PAYMENT_BPMS_SCHOOL_CODE,
      request_id: NO_PAYMENT,
    }),
  }).catch(() => undefined)
  return [
    [
      'the gateway does not refuse the school code and public key',
      response !== undefined && response.status !== 401 && response.status !== 403 && response.status < 500,
      'Compare both with those from EduTAMS.',
    ],
  ]
}

/**
 * Returns the findings about a gateway and the portal.
 * @param {string} name one of `gatewayNames`
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Finding[]>}
 */
export async function gatewayFindings(name, env, { fetch = globalThis.fetch, now = Date.now } = {}) {
  const { needs, address, isLive } = gateways[name]
  const missing = needs.filter(variable => !env[variable])
  /** @type {Finding[]} */
  const findings = [
    [`PAYMENT_PROVIDER is ${name}`, env.PAYMENT_PROVIDER === name, `Set PAYMENT_PROVIDER=${name}.`],
    [
      `the variables of ${name} are set`,
      missing.length === 0,
      `Missing: ${missing.join(', ')}. See docs/gateways.md.`,
    ],
    [
      'the gateway is in live mode',
      missing.length === 0 && isLive(env),
      'A gateway in test mode takes no real money, and NODE_ENV=production refuses it.',
      env.NODE_ENV !== 'production',
    ],
  ]
  if (missing.length > 0) return findings

  const gateway = await request(fetch, env[address]).catch(() => undefined)
  const skew = gateway && Math.abs(now() - Date.parse(gateway.headers.get('date') ?? ''))
  findings.push(
    [
      'the gateway can be reached',
      gateway !== undefined && gateway.status < 500,
      `No response from the URL in ${address}.`,
    ],
    [
      "the clock differs from the gateway's by less than a minute",
      skew !== undefined && skew < MAX_SKEW_MS,
      'Set the clock (NTP) and run this again. The clocks can only be compared if the gateway can be reached.',
    ],
  )
  findings.push(...(await gateways[name].findings(env, fetch)))
  findings.push(...(await checkPortal(name, env, fetch)))
  return findings
}

/**
 * Returns the findings about the portal as the gateway sees it: its webhook URL, fee and minimum.
 * @returns {Promise<Finding[]>}
 */
async function checkPortal(name, env, fetch) {
  const base = (env.PUBLIC_URL ?? '').replace(/\/+$/, '')
  const url = URL.canParse(base) ? new URL(base) : undefined
  const isPublic =
    url?.protocol === 'https:' && isIP(url.hostname.replace(/[[\]]/g, '')) === 0 && url.hostname.includes('.')
  /** @type {Finding} */
  const address = [
    'PUBLIC_URL is a public https address',
    isPublic,
    `Gateways send webhooks to public https addresses only${url ? '' : ': set it, e.g. PUBLIC_URL=https://verify.example.org'}.`,
  ]
  if (!url) return [address]
  const webhook = `${base}/api/payments/webhooks/${name}`
  // The request is unsigned, so the portal must reject it: a 401 shows that webhooks arrive.
  const unsignedResponse = await request(fetch, webhook, { method: 'POST', body: '{}' }).catch(
    () => undefined,
  )
  const settings = await request(fetch, `${base}/api/verification/settings`)
    .then(response => response.json())
    .catch(() => undefined)
  const fee = settings?.verification_fee
  const publishedMinimum = gateways[name].minimum
  const minimum = Number(env.PAYMENT_MINIMUM_AMOUNT || publishedMinimum)
  if (Number.isNaN(minimum) || minimum < 0)
    return [address, ['PAYMENT_MINIMUM_AMOUNT is an amount in naira', false, 'Set a number, or remove it.']]
  return [
    address,
    [
      `webhooks reach ${webhook} from here`,
      unsignedResponse?.status === 401,
      "Start the portal, let its proxy forward POST requests, and enter the same URL in the gateway's dashboard.",
    ],
    [
      'the portal sees the sender address of webhooks',
      !env.PAYMENT_WEBHOOK_ADDRESSES || Number(env.TRUST_PROXY || 0) > 0,
      'PAYMENT_WEBHOOK_ADDRESSES is set. Behind a proxy, set TRUST_PROXY too, or every webhook is rejected.',
      true,
    ],
    ['fees are in naira', settings?.currency === 'NGN', 'The portal did not return a fee in NGN.'],
    [
      `the fee is 0 or at least the minimum (${minimum} naira)`,
      typeof fee === 'number' && (fee === 0 || fee >= minimum),
      'Raise the verification fee or set it to 0, or correct PAYMENT_MINIMUM_AMOUNT.',
    ],
    [
      `the minimum of ${name} is known`,
      minimum > 0,
      'It is not published: ask the gateway, and set PAYMENT_MINIMUM_AMOUNT so that smaller payments are refused before the checkout.',
      true,
    ],
  ]
}
