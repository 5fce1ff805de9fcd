import { toMinor } from '@portal/format/money'
import * as z from 'zod'
import {
  GatewayRefusal,
  type Initiation,
  type Order,
  type Outcome,
  type ParsedWebhook,
  type PaymentGateway,
  type Requery,
} from '../payment-gateway.ts'
import { assertGatewayAddress } from './gateway-address.ts'
import { declineOfCode } from './gateway-codes.ts'
import { callGateway, checkReachable, parseJson } from './gateway-http.ts'
import { hmacHex } from './hmac.ts'

/*
 * BPMS (TICRMS of EduTAMS): the browser posts a signed form, and the server calls `re-query`. Amounts are in naira. The
 * signature does not cover amount and currency, so only the requery shows what was really paid.
 */

export interface BpmsOptions {
  /** Base address of the checkout, e.g. `https://ticrms.edutams.net/checkout`, without a trailing slash. */
  url: string
  schoolCode: string
  publicKey: string
  privateKey: string
  /** The institution's revenue code for these payments. */
  revenueCode: string
  /** The institution's own phone number, 11 digits, sent for payers whose number does not have 11 digits. */
  phone?: string | undefined
  /** Mode of the account. Nothing in the gateway's responses distinguishes test from live. */
  mode: 'test' | 'live'
  fetch: typeof fetch
  allowLoopback?: boolean
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Accepts an amount in naira, as a number or as text, and converts it to kobo exactly, or rejects it. */
const naira = z
  .union([z.number().nonnegative(), z.string().regex(/^\d{1,13}(\.\d{1,2})?$/)])
  .transform(amount => toMinor(Number(amount)))

const requeryResponse = z.object({
  request_id: z.string(),
  payment_code: z.union([z.string(), z.number()]).nullish(),
  status: z.string(),
  raw_response: z
    .object({
      status_code: z.string().nullish(),
      data: z.object({ amount_paid: naira.nullish() }).nullish(),
    })
    .nullish(),
})

const callbackBody = z.object({ request_id: z.string().regex(/^[A-Za-z0-9._-]{1,15}$/) })

export function bpmsGateway(options: BpmsOptions): PaymentGateway {
  const { schoolCode, publicKey, privateKey, mode, fetch, allowLoopback = false, now = Date.now } = options
  const base = assertGatewayAddress(options.url, { allowLoopback }).href.replace(/\/+$/, '')

  return {
    mode,
    isSignedForm: true,

    async initiate(order): Promise<Initiation> {
      const { customer, reference } = order
      if (reference.length > 15) throw new GatewayRefusal('the reference is longer than 15 characters')
      const phone = toElevenDigits(customer.phone) ?? options.phone ?? customer.phone
      const name = `${customer.lastname} ${customer.firstname}`
      const hash = await hmacHex('SHA-256', privateKey, buildTextToSign(order, phone, publicKey))
      return {
        paymentUrl: `${base}/entry`,
        fields: {
          billed_amount: toNaira(order.amount.minor),
          name,
          school_code: schoolCode,
          date: formatLagosTime(now()),
          bill_description: `${order.description} | ${name}`,
          customer_phone: phone,
          customer_id: order.description,
          customer_first_name: customer.firstname,
          customer_last_name: customer.lastname,
          customer_address: customer.address || 'N/A',
          customer_fname: customer.firstname,
          public_key: publicKey,
          request_id: reference,
          revenue_code: options.revenueCode,
          currency: order.amount.currency,
          callback_url: order.returnUrl,
          'product-desc': order.description,
          customer_email: customer.email,
          hash_type: 'SHA256',
          hash,
        },
      }
    },

    async requery(reference, _expected, signal): Promise<Requery> {
      const { status, text } = await callGateway(fetch, `${base}/re-query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ public_key: publicKey, school_code: schoolCode, request_id: reference }),
        signal,
      })
      if (status === 404) {
        // A 404 only counts if its body is in the gateway's own format: a wrong URL also returns 404, with a web page.
        z.looseObject({}).parse(JSON.parse(text))
        return { outcome: 'not_found', reference, mode, raw: text }
      }
      if (status !== 200) throw new Error(`the gateway returned ${status}`)
      const response = requeryResponse.parse(JSON.parse(text))
      const code = response.raw_response?.status_code ?? ''
      const outcome = outcomeOf(response.status, code)
      const minor = response.raw_response?.data?.amount_paid ?? undefined
      if (outcome === 'succeeded' && minor === undefined) throw new Error('an approval without an amount')
      const declineCode = outcome === 'succeeded' ? undefined : declineOfCode(code)
      return {
        outcome,
        reference: response.request_id,
        mode,
        code,
        status: response.status,
        raw: text,
        // The form requested naira; the response names no currency.
        ...(outcome === 'succeeded' && minor !== undefined && { amountPaid: { minor, currency: 'NGN' } }),
        ...(declineCode && { declineCode }),
        ...(response.payment_code && { providerTxnId: String(response.payment_code) }),
      }
    },

    /** The callback is unsigned and therefore never trusted; it only names the payment to requery. */
    async parseWebhook(raw): Promise<ParsedWebhook> {
      const body = parseJson(raw) ?? Object.fromEntries(new URLSearchParams(new TextDecoder().decode(raw)))
      const parsed = callbackBody.safeParse(body)
      const unverified = { verified: false, eventKey: '' }
      return parsed.success ? { ...unverified, reference: parsed.data.request_id } : unverified
    },

    check: signal => checkReachable(fetch, `${base}/entry`, signal),
  }
}

/**
 * Returns the text to sign, as published: it contains `customer_first_name` twice, with the first name and then the
 * surname.
 */
function buildTextToSign(
  { reference, returnUrl, customer }: Order,
  phone: string,
  publicKey: string,
): string {
  return [
    `request_id=${reference}`,
    `callback_url=${returnUrl}`,
    `customer_email=${customer.email}`,
    `customer_phone=${phone}`,
    `customer_first_name=${customer.firstname}`,
    `customer_first_name=${customer.lastname}`,
    `public-key=${publicKey}`,
  ].join('&')
}

/**
 * Maps the gateway's status and code. Only APPROVED with code 00 is documented; other codes are used only if their meaning is
 * unambiguous.
 */
function outcomeOf(status: string, code: string): Outcome {
  switch (status.toUpperCase()) {
    case 'APPROVED':
      return code === '00' ? 'succeeded' : 'unknown'
    case 'PENDING':
      return code === '09' || code === '68' || code === 'Z0' ? 'processing' : 'pending'
    case 'PROCESSING':
      return 'processing'
    case 'CANCELLED':
      return 'cancelled'
    case 'EXPIRED':
      return 'expired'
    case 'FAILED':
    case 'DECLINED':
      return declineOfCode(code) === 'PAYMENT_CANCELLED' ? 'cancelled' : 'failed'
    default:
      return 'unknown'
  }
}

/** Formats kobo as naira, without floating-point arithmetic: `500000` becomes `5000`, and `500010` becomes `5000.10`. */
function toNaira(minor: number): string {
  if (!Number.isSafeInteger(minor) || minor < 0) throw new RangeError(`not an amount: ${minor}`)
  const kobo = minor % 100
  const wholeNaira = String((minor - kobo) / 100)
  return kobo === 0 ? wholeNaira : `${wholeNaira}.${String(kobo).padStart(2, '0')}`
}

/** Returns a Nigerian phone number in the gateway's format, `08031234567`, or undefined if it is not one. */
function toElevenDigits(phone: string): string | undefined {
  const digits = phone.replace(/\D/g, '').replace(/^234(?=\d{10}$)/, '0')
  return /^0\d{10}$/.test(digits) ? digits : undefined
}

/** Formats a time as `d/m/Y g:i:s A` in Nigerian time (one hour ahead of UTC, all year). */
function formatLagosTime(now: number): string {
  const [day = '', time = ''] = new Date(now + 3_600_000).toISOString().split('T')
  const hour = Number(time.slice(0, 2))
  const clock = `${hour % 12 || 12}${time.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`
  return `${day.split('-').reverse().join('/')} ${clock}`
}
