import * as z from 'zod'
import {
  GatewayRefusal,
  type Initiation,
  type Order,
  type Outcome,
  type ParsedWebhook,
  type PaymentGateway,
  type Refund,
  type Requery,
} from '../payment-gateway.ts'
import { assertGatewayAddress } from './gateway-address.ts'
import { declineOfCode, outcomeOfCode } from './gateway-codes.ts'
import {
  callGateway,
  checkReachable,
  type GatewayResponse,
  isRefusal,
  parseJson,
  splitSecrets,
  withReference,
} from './gateway-http.ts'
import { digestHex, isHmac } from './hmac.ts'

/*
 * Interswitch: the browser posts a form, and the server calls `gettransaction.json` with the amount it expects. An account has
 * either a product with a MAC key (the form and the requery are hashed) or a merchant code (neither is hashed). Amounts are in
 * kobo.
 */

/** Credentials of the institution's account, which is of one of two kinds. */
export type InterswitchAccount = { productId: string; macKey: string } | { merchantCode: string }

export interface InterswitchOptions {
  /** URL of the form, e.g. `https://webpay.interswitchng.com/collections/w/pay`. */
  payUrl: string
  /** URL of the requery, e.g. `https://webpay.interswitchng.com/collections/api/v1/gettransaction.json`. */
  queryUrl: string
  payItemId: string
  account: InterswitchAccount
  /**
   * One secret, or several separated by commas; if there is none, callbacks are refused and only scheduled jobs requery
   * payments.
   */
  webhookSecret?: string | undefined
  /** Mode of the account. Nothing in the gateway's responses distinguishes test from live; the addresses differ. */
  mode: 'test' | 'live'
  /** Credentials of the refund call; without them, refunds are made by bank transfer. */
  refunds?: InterswitchRefunds | undefined
  fetch: typeof fetch
  allowLoopback?: boolean
}

export interface InterswitchRefunds {
  /** URL for refunds, e.g. `https://saturn.interswitchng.com/paymentgateway/api/v1/refunds`. */
  url: string
  /** URL for access tokens, e.g. `https://passport.interswitchng.com/passport/oauth/token`. */
  tokenUrl: string
  clientId: string
  clientSecret: string
}

/** ISO 4217 numeric code of the naira. */
const NAIRA = '566'
/** "Invalid value for Product id or Merchant Code": our configuration is wrong, and the gateway did not look up any payment. */
const UNKNOWN_ACCOUNT = '20031'

const transaction = z.object({
  // The gateway omits the amount if it knows nothing about the payment.
  Amount: z.int().nonnegative().nullish(),
  ResponseCode: z.string().nullable(),
  ResponseDescription: z.string().nullish(),
  MerchantReference: z.string().nullish(),
  PaymentReference: z.string().nullish(),
})

const event = z.object({
  event: z.string().min(1).max(100),
  data: z.object({ merchantReference: z.string().nullish() }),
})

const token = z.object({ access_token: z.string().min(1) })
const refund = z.object({ refundReference: z.string(), refundStatus: z.string() })

/**
 * Our state for each state of a refund at the gateway: https://docs.interswitchgroup.com/docs/refunds, read 2026-11-23. After
 * FAILED, the gateway refunds manually, so requesting the refund again could refund twice.
 */
const refundStates: Readonly<Record<string, Refund['status']>> = {
  SUCCESS: 'pending',
  PENDING: 'pending',
  PROCESSING: 'pending',
  COMPLETE: 'processed',
  COMPLETE_MANUAL: 'processed',
  FAILED: 'needs_attention',
}

const parseRefund = (response: z.infer<typeof refund>): Refund => ({
  refundId: response.refundReference,
  status: refundStates[response.refundStatus.toUpperCase()] ?? 'needs_attention',
})

/** Obtains a new access token for the client, and returns it as an `authorization` header. @throws if it cannot be obtained */
async function fetchBearerHeader(
  fetch: typeof globalThis.fetch,
  { tokenUrl, clientId, clientSecret }: InterswitchRefunds,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { status, text } = await callGateway(fetch, tokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    signal,
  })
  if (status !== 200) throw new Error(`the token endpoint returned ${status}`)
  return { authorization: `Bearer ${token.parse(JSON.parse(text)).access_token}` }
}

/**
 * Returns the function that requests a refund. Each refund has its own reference, which identifies it in later calls
 * and prevents a second refund.
 */
function createRefundCall(
  fetch: typeof globalThis.fetch,
  client: InterswitchRefunds,
): NonNullable<PaymentGateway['refund']> {
  const { url } = client
  return async ({ reference, amount, idempotencyKey }, signal) => {
    const refundReference = `CV-${idempotencyKey.replaceAll(/[^A-Za-z0-9]+/g, '-')}`
    const headers = {
      ...(await fetchBearerHeader(fetch, client, signal)),
      'content-type': 'application/json',
    }
    const existing = await callGateway(fetch, `${url}/${refundReference}`, { headers, signal })
    if (existing.status === 200) return parseRefund(refund.parse(JSON.parse(existing.text)))
    if (existing.status !== 404) throw new Error(`the gateway returned ${existing.status}`)
    const body = {
      refundReference,
      parentTransactionReference: reference,
      refundType: 'PARTIAL',
      refundAmount: amount.minor,
      reasonForRefund: 'Verification fee returned',
    }
    const response = await callGateway(fetch, url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    })
    if (response.status === 200 || response.status === 201)
      return parseRefund(refund.parse(JSON.parse(response.text)))
    // An earlier call, whose response was lost, already requested this refund. Only the text shows that, because the code has
    // many meanings.
    if (/reference has already been used/i.test(response.text))
      return { refundId: refundReference, status: 'pending' }
    // 10500 means "please try again", so it is unknown whether the refund was accepted.
    if (isRefusal(response.status) && !/\b10500\b/.test(response.text)) throw createRefundRefusal(response)
    throw new Error(`the gateway returned ${response.status}`)
  }
}

/** Texts in the gateway's refusals: https://docs.interswitchgroup.com/docs/payment-response-codes, read 2026-11-25. */
const HAS_REFUND = /has been refunded or is logged for refunds/i
const TOO_OLD = /refund transaction older than/i

function createRefundRefusal({ status, text }: GatewayResponse): GatewayRefusal {
  const refusal = new GatewayRefusal(`the gateway returned ${status}`)
  if (HAS_REFUND.test(text))
    refusal.staffNote =
      'The gateway already has a refund of this payment and does not accept another. Check it there, then refund through the bank and record the reference.'
  else if (TOO_OLD.test(text))
    refusal.staffNote =
      'The payment is too old for the gateway to refund. Refund it by bank transfer and record the reference.'
  return refusal
}

export function interswitchGateway(options: InterswitchOptions): PaymentGateway {
  const { payItemId, account, mode, fetch, allowLoopback = false } = options
  const payUrl = assertGatewayAddress(options.payUrl, { allowLoopback }).href
  const queryUrl = assertGatewayAddress(options.queryUrl, { allowLoopback }).href
  const secrets = splitSecrets(options.webhookSecret ?? '')
  const refunds = options.refunds && {
    ...options.refunds,
    url: assertGatewayAddress(options.refunds.url, { allowLoopback }).href.replace(/\/+$/, ''),
    tokenUrl: assertGatewayAddress(options.refunds.tokenUrl, { allowLoopback }).href,
  }

  return {
    mode,
    isSignedForm: true,

    async initiate(order): Promise<Initiation> {
      if (order.reference.length > 15) throw new GatewayRefusal('the reference is longer than 15 characters')
      return { paymentUrl: payUrl, fields: await buildFormFields(order, payItemId, account) }
    },

    async requery(reference, expected, signal): Promise<Requery> {
      const url = new URL(queryUrl)
      const headers: Record<string, string> = { accept: 'application/json' }
      if ('productId' in account) {
        url.searchParams.set('productid', account.productId)
        headers.Hash = await hashWithMacKey([account.productId, reference], account.macKey)
      } else {
        url.searchParams.set('merchantcode', account.merchantCode)
      }
      url.searchParams.set('transactionreference', reference)
      url.searchParams.set('amount', String(expected.minor))
      let reply = await callGateway(fetch, url.href, { headers, signal })
      // Newer accounts accept the requery only with an access token.
      if ((reply.status === 401 || reply.status === 403) && refunds) {
        const authorisedHeaders = { ...headers, ...(await fetchBearerHeader(fetch, refunds, signal)) }
        reply = await callGateway(fetch, url.href, { headers: authorisedHeaders, signal })
      }
      const { status, text } = reply
      if (status !== 200 && status !== 404) throw new Error(`the gateway returned ${status}`)
      const response = transaction.parse(JSON.parse(text))
      const code = response.ResponseCode ?? ''
      const description = response.ResponseDescription ?? ''
      if (code === UNKNOWN_ACCOUNT) throw new Error('the gateway does not know this product or merchant code')
      const outcome = outcomeOf(code, description)
      if (status === 404 && outcome !== 'not_found') throw new Error('the gateway returned 404')
      if (outcome === 'succeeded' && !response.MerchantReference) {
        throw new Error('an approval without a reference')
      }
      const minor = response.Amount ?? undefined
      if (outcome === 'succeeded' && minor === undefined) throw new Error('an approval without an amount')
      const declineCode = outcome === 'succeeded' ? undefined : declineOfCode(code)
      return {
        outcome,
        reference: response.MerchantReference || reference,
        mode,
        code,
        ...(description && { status: description }),
        raw: text,
        // The form requested naira; the response names no currency.
        ...(outcome === 'succeeded' && minor !== undefined && { amountPaid: { minor, currency: 'NGN' } }),
        ...(declineCode && { declineCode }),
        ...(response.PaymentReference && { providerTxnId: response.PaymentReference }),
      }
    },

    async parseWebhook(raw, headers): Promise<ParsedWebhook> {
      const unverified = { verified: false, eventKey: '' }
      const header = headers.get('x-interswitch-signature') ?? ''
      // Older callbacks have the signature in uppercase hexadecimal.
      const signature = /[a-z]/.test(header) ? header : header.toLowerCase()
      const signed = new Uint8Array(raw)
      for (const secret of secrets) {
        if (!(await isHmac('SHA-512', secret, signed, signature))) continue
        const parsed = event.safeParse(parseJson(raw))
        if (!parsed.success) return unverified
        // Treats identical bodies as the same event. The event name COMPLETED does not mean success.
        const eventKey = `${parsed.data.event}:${(await digestHex('SHA-256', signed)).slice(0, 32)}`
        const reference = parsed.data.data.merchantReference
        return { verified: true, eventKey, ...(reference && { reference }) }
      }
      return unverified
    },

    check: signal => checkReachable(fetch, queryUrl, signal),

    ...(refunds && { refund: createRefundCall(fetch, refunds) }),
  }
}

async function buildFormFields(
  { reference, amount, customer, description, returnUrl }: Order,
  payItemId: string,
  account: InterswitchAccount,
): Promise<Record<string, string>> {
  if (!Number.isSafeInteger(amount.minor) || amount.minor < 0) throw new RangeError('not an amount in kobo')
  const kobo = String(amount.minor)
  // The payer returns with `txnref`. Nothing else in the returned parameters can be trusted, not even an amount.
  const redirect = withReference(returnUrl, reference)
  const fields = {
    pay_item_id: payItemId,
    amount: kobo,
    currency: NAIRA,
    site_redirect_url: redirect,
    txn_ref: reference,
    cust_id: customer.email,
    cust_name: `${customer.lastname} ${customer.firstname}`,
    pay_item_name: description,
  }
  if (!('productId' in account))
    return { merchant_code: account.merchantCode, ...fields, cust_email: customer.email }
  const { productId, macKey } = account
  const hash = await hashWithMacKey([reference, productId, payItemId, kobo, redirect], macKey)
  return { product_id: productId, ...fields, hash }
}

/**
 * Returns the SHA-512 hash of the concatenated values and the MAC key, in uppercase.
 * @param values form: txn_ref, product_id, pay_item_id, amount, site_redirect_url; requery: productid, txn_ref
 */
export async function hashWithMacKey(values: readonly string[], macKey: string): Promise<string> {
  return (await digestHex('SHA-512', `${values.join('')}${macKey}`)).toUpperCase()
}

/**
 * Returns the outcome of a payment. With code Z1, a description that mentions the amount may mean that money was received; a
 * plain "transaction error" does not.
 */
const outcomeOf = (code: string, description: string): Outcome =>
  code === 'Z1' && /amount/i.test(description) ? 'unknown' : outcomeOfCode(code)
