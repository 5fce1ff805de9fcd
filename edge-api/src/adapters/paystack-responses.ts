import * as z from 'zod'
import type { Refund } from '../payment-gateway.ts'
import type { GatewayResponse } from './gateway-http.ts'

/* Shared by the modules of the Paystack adapter: the type of its calls, and the schemas of responses about refunds. */

/** Calls the API with the account's key: by default, GET without a body, and POST with one; PUT if requested. */
export type PaystackCall = (
  path: string,
  signal: AbortSignal,
  body?: unknown,
  maxBytes?: number,
  method?: 'POST' | 'PUT',
) => Promise<GatewayResponse>

/** Maximum size of a page of a list, which is larger than other responses, in bytes. */
export const MAX_LIST_BYTES = 1024 * 1024

export const id = z.union([z.int(), z.string().min(1)]).transform(String)
export const refund = z.object({
  id,
  status: z.string(),
  amount: z.int().nonnegative().nullish(),
  currency: z.string().nullish(),
  merchant_note: z.string().nullish(),
  transaction: z.union([id, z.object({ id })]).nullish(),
})
export const refundResponse = z.object({ status: z.literal(true), data: refund })

const refundStates: Record<string, Refund['status']> = {
  pending: 'pending',
  processing: 'pending',
  processed: 'processed',
  failed: 'failed',
}

/** Converts a refund of the gateway, and maps its status to ours. */
export const toRefund = ({ id, status }: z.infer<typeof refund>): Refund => ({
  refundId: id,
  // Covers `needs-attention` and all unknown statuses.
  status: refundStates[status] ?? 'needs_attention',
})

/** Returns the body of a successful response. @throws Error for every other status, and for a body that is not JSON */
export function readOk({ status, text }: GatewayResponse): unknown {
  if (status !== 200 && status !== 201) throw new Error(`the gateway returned ${status}`)
  return JSON.parse(text)
}
