import type { ErrorCode } from '@portal/contract/errors'
import * as z from 'zod'
import type { Outcome } from '../payment-gateway.ts'
import { type GatewayResponse, parseJson } from './gateway-http.ts'
import { id, type refund } from './paystack-responses.ts'

export const payment = z.object({
  id,
  domain: z.enum(['test', 'live']),
  status: z.string(),
  reference: z.string(),
  amount: z.int().nonnegative(),
  currency: z.string(),
  // https://paystack.com/docs/api/transaction/#verify, as in doc-code-snippets dist/api/transactions/verify/response.json.
  requested_amount: z.int().nonnegative().nullish(),
  fees: z.int().nonnegative().nullish(),
  gateway_response: z.string().nullish(),
  channel: z.string().nullish(),
})

export const refusal = z.object({ status: z.literal(false), message: z.string(), code: z.string().nullish() })
export const transactionResponse = z.object({
  status: z.literal(true),
  data: z.array(payment),
  meta: z.object({ page: z.int().nullish(), pageCount: z.int().nullish(), next: z.string().nullish() }),
})

export type ListedRefund = z.infer<typeof refund>

/**
 * True for "Reversal pending" and "Reversed": some of the money is being returned, or has been, by a refund or a lost dispute.
 * How the API spells "Reversal pending" is not documented. The amounts are only in the list of refunds.
 */
export const isReversal = (status: string) => /^revers(ed|al[ _-]?pending)$/i.test(status)

/** Returns how much of a payment has been refunded and how much is being refunded, from its list of refunds. */
export function sumRefunds({ currency }: z.infer<typeof payment>, refunds: readonly ListedRefund[]) {
  const sum = (isCounted: (status: string) => boolean) =>
    refunds
      .filter(item => (item.currency ?? currency) === currency && isCounted(item.status))
      .reduce((total, item) => total + (item.amount ?? 0), 0)
  return {
    returnedMinor: sum(status => status === 'processed'),
    returningMinor: sum(status => status !== 'processed' && status !== 'failed'),
    returnedIds: refunds.filter(item => item.status === 'processed').map(item => item.id),
  }
}

/**
 * Decides the outcome of a reversal by its amounts, because the gateway uses the same status for partial and full
 * refunds.
 */
export function outcomeOfReversal(
  { status, amount }: z.infer<typeof payment>,
  { returnedMinor, returningMinor }: Pick<ReturnType<typeof sumRefunds>, 'returnedMinor' | 'returningMinor'>,
): Outcome {
  if (returnedMinor >= amount) return 'reversed'
  if (returnedMinor + returningMinor > 0) return 'succeeded'
  // No amount is known yet, because a refund that was just started may not be listed.
  return status.toLowerCase() === 'reversed' ? 'unknown' : 'processing'
}

/** Returns the gateway's reason for a refusal, or undefined if the response is not in the gateway's format. */
export function parseRefusal({ status, text }: GatewayResponse): z.infer<typeof refusal> | undefined {
  if (status < 400 || status > 499) return undefined
  return refusal.safeParse(parseJson(new TextEncoder().encode(text))).data
}

/** True if the message reports a duplicate reference. Needed for older responses, which have no code. */
export const isDuplicate = (response: GatewayResponse) =>
  /duplicate.*reference/i.test(parseRefusal(response)?.message ?? '')

export function isNotFound(response: GatewayResponse): boolean {
  const reply = parseRefusal(response)
  return (
    reply?.code === 'transaction_not_found' ||
    /^transaction (reference )?not found/i.test(reply?.message ?? '')
  )
}

export function declineOf({ gateway_response: reply, channel }: z.infer<typeof payment>): ErrorCode {
  if (/insufficient/i.test(reply ?? '')) return 'INSUFFICIENT_FUNDS'
  // CARD_DECLINED asks the payer to use another card, which makes no sense for a bank transfer.
  return /declined/i.test(reply ?? '') && (channel ?? 'card') === 'card' ? 'CARD_DECLINED' : 'PAYMENT_FAILED'
}

/**
 * Returns the cursor of the next page. Responses contain either the page and the number of pages, or a token for the next
 * page.
 */
export function cursorOf({
  page,
  pageCount,
  next,
}: z.infer<typeof transactionResponse>['meta']): string | undefined {
  if (typeof page === 'number' && typeof pageCount === 'number') {
    return page < pageCount ? String(page + 1) : undefined
  }
  // According to the documentation, `next` can also be the text "null" on the last page.
  return next && next !== 'null' ? `next:${next}` : undefined
}
