import { toMajor, toMinor } from '@portal/format/money'
import * as z from 'zod'
import {
  type GatewayPage,
  GatewayRefusal,
  type Initiation,
  type Outcome,
  type ParsedWebhook,
  type PaymentGateway,
  type Requery,
} from '../payment-gateway.ts'
import { assertListed } from './gateway-address.ts'
import { declineOfCode } from './gateway-codes.ts'
import { callGateway, isRefusal, parseJson, rethrowAsUnreachable, splitSecrets } from './gateway-http.ts'
import { isHmac } from './hmac.ts'
import { sandboxDisputes } from './sandbox-disputes.ts'

/*
 * Adapter of the sandbox gateway's HTTP interface: amounts are in major units, `request_id` is our reference, and only
 * `POST /verify/{request_id}` is authoritative.
 */

interface SandboxOptions {
  /** Base address, without a trailing slash. */
  url: string
  /** One secret, or several separated by commas: each of them is accepted, so that one can be rotated. */
  webhookSecret: string
  fetch: typeof fetch
}

/** Maximum difference between the time of a signature and our clock, in milliseconds. */
const SIGNATURE_TOLERANCE_MS = 5 * 60_000

const initiation = z.object({
  transaction_id: z.string(),
  payment_url: z.string(),
  payment_data: z.record(z.string(), z.string()),
  expires_at: z.string(),
  request_id: z.string(),
})

const verification = z.object({
  request_id: z.string(),
  transaction_id: z.string().min(1).optional(),
  status: z.string(),
  code: z
    .string()
    .nullish()
    .transform(code => code ?? ''),
  amount_paid: z.number().nonnegative(),
  currency: z.string(),
  mode: z.enum(['test', 'live']).default('test'),
})

const transactionListResponse = z.object({
  transactions: z.array(verification.omit({ mode: true }).extend({ transaction_id: z.string().min(1) })),
  next_cursor: z.string().min(1).optional(),
})

/** Maximum size of a page of the list, which is larger than other responses, in bytes. */
const MAX_LIST_BYTES = 1024 * 1024
const PER_PAGE = 100

const event = z.object({
  event_id: z.string().min(1).max(200),
  request_id: z.string(),
  dispute_id: z.string().min(1).max(64).optional(),
})

const outcomes: Record<string, Outcome> = {
  PENDING: 'pending',
  PROCESSING: 'processing',
  APPROVED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
}

/** Maps the gateway's status. A failure with the code for a cancellation by the payer becomes a cancellation. */
function outcomeOf({ status, code }: { status: string; code: string }): Outcome {
  const outcome = outcomes[status] ?? 'unknown'
  return outcome === 'failed' && declineOfCode(code) === 'PAYMENT_CANCELLED' ? 'cancelled' : outcome
}

/** Returns the function that verifies and parses callbacks, which must be signed with one of these secrets. */
const webhookParser =
  (secrets: readonly string[]): PaymentGateway['parseWebhook'] =>
  async (raw, headers, now): Promise<ParsedWebhook> => {
    const unverified = { verified: false, eventKey: '' }
    const header = headers.get('x-sandbox-signature') ?? ''
    const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{128})$/.exec(header) ?? []
    if (signature === '' || Math.abs(now - Number(seconds) * 1000) > SIGNATURE_TOLERANCE_MS) return unverified
    const prefix = new TextEncoder().encode(`${seconds}.`)
    const signed = new Uint8Array(prefix.length + raw.length)
    signed.set(prefix)
    signed.set(raw, prefix.length)
    for (const secret of secrets) {
      if (!(await isHmac('SHA-512', secret, signed, signature))) continue
      const parsed = event.safeParse(parseJson(raw))
      if (!parsed.success) return unverified
      const { event_id: eventKey, request_id: reference, dispute_id: disputeId } = parsed.data
      return { verified: true, eventKey, reference, ...(disputeId && { disputeId }) }
    }
    return unverified
  }

export function sandboxGateway({ url, webhookSecret, fetch }: SandboxOptions): PaymentGateway {
  const base = url.replace(/\/+$/, '')
  const call = (path: string, init: RequestInit, maxBytes?: number) =>
    callGateway(fetch, `${base}${path}`, init, maxBytes)

  return {
    mode: 'test',

    async initiate(order, signal): Promise<Initiation> {
      const body = JSON.stringify({
        request_id: order.reference,
        amount_due: toMajor(order.amount.minor),
        currency: order.amount.currency,
        sname: order.customer.lastname,
        fname: order.customer.firstname,
        email: order.customer.email,
        regnum: order.description,
        ...order.display,
        callback_url: order.returnUrl,
      })
      const headers = { 'content-type': 'application/json', 'idempotency-key': order.idempotencyKey }
      const { status, text } = await call('/payment', { method: 'POST', headers, body, signal }).catch(
        rethrowAsUnreachable,
      )
      if (isRefusal(status)) throw new GatewayRefusal(`the gateway returned ${status}`)
      if (status !== 200 && status !== 201) throw new Error(`the gateway returned ${status}`)
      const response = initiation.parse(JSON.parse(text))
      if (response.request_id !== order.reference)
        throw new Error('the gateway returned a different reference')
      const page = assertListed(response.payment_url, [new URL(base).origin])
      const expiresAt = new Date(response.expires_at)
      return {
        paymentUrl: page.href,
        fields: response.payment_data,
        providerRef: response.transaction_id,
        ...(Number.isFinite(expiresAt.getTime()) && { expiresAt }),
      }
    },

    async requery(reference, _expected, signal): Promise<Requery> {
      const path = `/verify/${encodeURIComponent(reference)}`
      const { status, text } = await call(path, { method: 'POST', signal })
      if (status === 404) {
        // A 404 only counts if its body is in the gateway's own format: a wrong URL also returns 404, with a web page.
        z.looseObject({}).parse(JSON.parse(text))
        return { outcome: 'not_found', reference, mode: 'test', raw: text }
      }
      if (status !== 200) throw new Error(`the gateway returned ${status}`)
      const response = verification.parse(JSON.parse(text))
      const declineCode = declineOfCode(response.code)
      const outcome = outcomeOf(response)
      return {
        outcome,
        reference: response.request_id,
        mode: response.mode,
        code: response.code,
        status: response.status,
        raw: text,
        ...(outcome === 'succeeded' && {
          amountPaid: { minor: toMinor(response.amount_paid), currency: response.currency },
        }),
        ...(declineCode && { declineCode }),
        ...(response.transaction_id && { providerTxnId: response.transaction_id }),
      }
    },

    parseWebhook: webhookParser(splitSecrets(webhookSecret)),
    disputes: sandboxDisputes(call),

    async check(signal) {
      const { status } = await call('/health', { signal })
      if (status !== 200) throw new Error(`the gateway returned ${status}`)
    },

    async list(from, to, cursor, signal): Promise<GatewayPage> {
      const query = new URLSearchParams({
        date_from: from.toISOString(),
        date_to: to.toISOString(),
        limit: String(PER_PAGE),
        ...(cursor !== undefined && { cursor }),
      })
      const { status, text } = await call(`/transaction?${query}`, { signal }, MAX_LIST_BYTES)
      if (status !== 200) throw new Error(`the gateway returned ${status}`)
      const { transactions, next_cursor: nextCursor } = transactionListResponse.parse(JSON.parse(text))
      const items = transactions.map(transaction => {
        const outcome = outcomeOf(transaction)
        const amountPaid = { minor: toMinor(transaction.amount_paid), currency: transaction.currency }
        return {
          reference: transaction.request_id,
          outcome,
          mode: 'test' as const,
          providerTxnId: transaction.transaction_id,
          ...(outcome === 'succeeded' && { amountPaid }),
        }
      })
      return { items, ...(nextCursor !== undefined && { nextCursor }) }
    },
  }
}
