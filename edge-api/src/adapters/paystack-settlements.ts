import * as z from 'zod'
import type { GatewaySettlements } from '../payment-gateway.ts'
import { id, MAX_LIST_BYTES, type PaystackCall, readOk } from './paystack-responses.ts'

/*
 * GET /settlement and GET /settlement/{id}/transactions: https://docs-v2.paystack.com/docs/api/settlement, and
 * github.com/PaystackOSS/doc-code-snippets, dist/api/settlements at 94af513, read 2026-11-23. Amounts are in kobo.
 */

const PER_PAGE = 100

const meta = z.object({ page: z.int().nullish(), pageCount: z.int().nullish() }).nullish()
const settlements = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      id,
      status: z.string(),
      currency: z.string(),
      effective_amount: z.int().nullish(),
      settlement_date: z.iso.datetime({ offset: true }),
    }),
  ),
  meta,
})
const transactions = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      reference: z.string(),
      amount: z.int().nonnegative(),
      fees: z.int().nonnegative().nullish(),
    }),
  ),
  meta,
})

/** Returns the number of the next page as the cursor, or nothing on the last page. */
const nextCursorOf = (pageMeta: z.infer<typeof meta>) => {
  const { page, pageCount } = pageMeta ?? {}
  return typeof page === 'number' && typeof pageCount === 'number' && page < pageCount
    ? { nextCursor: String(page + 1) }
    : {}
}

export function paystackSettlements(call: PaystackCall): GatewaySettlements {
  return {
    async list(from, to, cursor, signal) {
      const query = new URLSearchParams({
        status: 'success',
        from: from.toISOString(),
        to: to.toISOString(),
        perPage: String(PER_PAGE),
        page: cursor ?? '1',
      })
      const response = await call(`/settlement?${query}`, signal, undefined, MAX_LIST_BYTES)
      const { data, meta: pageMeta } = settlements.parse(readOk(response))
      // Skips settlements whose money is still in transit, because it may not arrive.
      const paidOut = data.filter(item => item.status === 'success')
      const items = paidOut.map(item => ({
        reference: item.id,
        currency: item.currency,
        settledAt: new Date(item.settlement_date),
        ...(typeof item.effective_amount === 'number' && { paidOutMinor: item.effective_amount }),
      }))
      return { items, ...nextCursorOf(pageMeta) }
    },

    async listLines(reference, cursor, signal) {
      const query = new URLSearchParams({ perPage: String(PER_PAGE), page: cursor ?? '1' })
      const path = `/settlement/${encodeURIComponent(reference)}/transactions?${query}`
      const { data, meta: pageMeta } = transactions.parse(
        readOk(await call(path, signal, undefined, MAX_LIST_BYTES)),
      )
      const items = data.map(item => ({
        reference: item.reference,
        amountMinor: item.amount,
        ...(typeof item.fees === 'number' && { feeMinor: item.fees }),
      }))
      return { items, ...nextCursorOf(pageMeta) }
    },
  }
}
