import * as z from 'zod'
import type { ParsedWebhook, PaymentGateway } from '../payment-gateway.ts'
import { parseJson } from './gateway-http.ts'
import { digestHex, isHmac } from './hmac.ts'
import { id } from './paystack-responses.ts'

const event = z.object({
  event: z.string().min(1).max(100),
  data: z.object({
    id: id.nullish().catch(undefined),
    reference: z.string().nullish(),
    transaction_reference: z.string().nullish(),
    transaction: z.object({ reference: z.string().nullish() }).nullish().catch(undefined),
  }),
})

/** Returns the function that verifies and parses callbacks, which must be signed with one of these secret keys. */
export const paystackWebhookParser =
  (keys: readonly string[]): PaymentGateway['parseWebhook'] =>
  async (raw, headers): Promise<ParsedWebhook> => {
    const unverified = { verified: false, eventKey: '' }
    const signature = headers.get('x-paystack-signature') ?? ''
    const signed = new Uint8Array(raw)
    for (const secret of keys) {
      if (!(await isHmac('SHA-512', secret, signed, signature))) continue
      const parsed = event.safeParse(parseJson(raw))
      if (!parsed.success) return unverified
      const { data } = parsed.data
      // Events have no ID, so identical bodies are treated as the same event.
      const eventKey = `${parsed.data.event}:${(await digestHex('SHA-256', signed)).slice(0, 32)}`
      const reference = data.reference ?? data.transaction_reference ?? data.transaction?.reference
      const disputeId = parsed.data.event.startsWith('charge.dispute.') ? data.id : undefined
      return { verified: true, eventKey, ...(reference && { reference }), ...(disputeId && { disputeId }) }
    }
    return unverified
  }
