import * as z from 'zod'
import { type Bank, GatewayRefusal, type RefundAccounts } from '../payment-gateway.ts'
import { isRefusal } from './gateway-http.ts'
import {
  id,
  MAX_LIST_BYTES,
  type PaystackCall,
  readOk,
  refundResponse,
  toRefund,
} from './paystack-responses.ts'

/*
 * Refunds that need attention: Paystack transfers them to the payer's bank account once it has the account details. Calls and
 * responses: github.com/PaystackOSS/openapi (dist/paystack.yaml, `/refund/retry_with_customer_details/{id}`, `/bank`,
 * `/bank/resolve`) and PaystackOSS/doc-code-snippets (dist/api/refunds/retry, miscellaneous/bank,
 * verification/resolve-account), read 2026-11-23.
 */

const PER_PAGE = 100
/** Maximum pages of the bank list. Nigeria's list has about 250 banks. */
const MAX_PAGES = 20

const banks = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      id,
      code: z.string(),
      name: z.string(),
      active: z.boolean().nullish(),
      is_deleted: z.boolean().nullish(),
    }),
  ),
  meta: z.object({ next: z.string().nullish() }).nullish(),
})
const accountNameResponse = z.object({
  status: z.literal(true),
  data: z.object({ account_name: z.string() }),
})

export function paystackRefundAccounts(call: PaystackCall): RefundAccounts {
  const readRefund = async (refundId: string, signal: AbortSignal) =>
    toRefund(refundResponse.parse(readOk(await call(`/refund/${encodeURIComponent(refundId)}`, signal))).data)

  return {
    async listBanks(signal) {
      const found: Bank[] = []
      let next: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = new URLSearchParams({ currency: 'NGN', use_cursor: 'true', perPage: String(PER_PAGE) })
        if (next) query.set('next', next)
        const { data, meta } = banks.parse(
          readOk(await call(`/bank?${query}`, signal, undefined, MAX_LIST_BYTES)),
        )
        const usableBanks = data.filter(bank => bank.active !== false && bank.is_deleted !== true)
        found.push(...usableBanks.map(({ id, code, name }) => ({ id, code, name })))
        next = meta?.next ?? undefined
        if (!next || next === 'null') break
      }
      return found.sort((a, b) => a.name.localeCompare(b.name))
    },

    async findAccountName({ bankCode, number }, signal) {
      const query = new URLSearchParams({ account_number: number, bank_code: bankCode })
      const response = await call(`/bank/resolve?${query}`, signal)
      return isRefusal(response.status)
        ? undefined
        : accountNameResponse.parse(readOk(response)).data.account_name
    },

    async retry({ refundId, account }, signal) {
      const before = await readRefund(refundId, signal)
      if (before.status !== 'needs_attention') return before
      const response = await call(
        `/refund/retry_with_customer_details/${encodeURIComponent(refundId)}`,
        signal,
        {
          refund_account_details: {
            currency: 'NGN',
            account_number: account.number,
            bank_id: account.bankId,
          },
        },
      )
      if (!isRefusal(response.status)) return toRefund(refundResponse.parse(readOk(response)).data)
      // Another call may have supplied the account in the meantime, so the refund may no longer need attention.
      const after = await readRefund(refundId, signal)
      if (after.status !== 'needs_attention') return after
      throw new GatewayRefusal(`the gateway returned ${response.status}`)
    },
  }
}
