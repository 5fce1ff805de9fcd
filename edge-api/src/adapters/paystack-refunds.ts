import * as z from 'zod'
import { GatewayRefusal, type PaymentGateway } from '../payment-gateway.ts'
import { isRefusal, rethrowAsUnreachable } from './gateway-http.ts'
import type { ListedRefund } from './paystack-payment.ts'
import {
  MAX_LIST_BYTES,
  type PaystackCall,
  readOk,
  refund,
  refundResponse,
  toRefund,
} from './paystack-responses.ts'

const PER_PAGE = 100
const refunds = z.object({ status: z.literal(true), data: z.array(refund) })

export interface PaystackRefunds extends Required<Pick<PaymentGateway, 'refund' | 'findRefund'>> {
  /** Lists the refunds of one payment. `transaction` is the gateway's ID of that payment. */
  listRefundsOfTransaction: (transaction: string, signal: AbortSignal) => Promise<ListedRefund[]>
}

export function paystackRefunds(call: PaystackCall): PaystackRefunds {
  const listRefundsOfTransaction: PaystackRefunds['listRefundsOfTransaction'] = async (
    transaction,
    signal,
  ) => {
    const query = new URLSearchParams({ transaction, perPage: String(PER_PAGE) })
    const { data } = refunds.parse(readOk(await call(`/refund?${query}`, signal, undefined, MAX_LIST_BYTES)))
    // If the gateway ignores the filter, refunds of other payments must not be counted.
    return data.filter(item => item.transaction == null || idOf(item.transaction) === transaction)
  }

  return {
    listRefundsOfTransaction,

    /**
     * Requests a refund, or reads it if its ID is known. The API has no idempotency keys, so our key is stored in the refund's
     * note, and existing refunds are searched for it first.
     */
    async refund({ providerTxnId, refundId, amount, idempotencyKey }, signal) {
      if (refundId)
        return toRefund(
          refundResponse.parse(readOk(await call(`/refund/${encodeURIComponent(refundId)}`, signal))).data,
        )
      const note = `refund ${idempotencyKey}`
      const before = await listRefundsOfTransaction(providerTxnId, signal)
      const duplicate = before.find(item => hasNote(item, note))
      if (duplicate) return toRefund(duplicate)
      if (before.some(item => isForeign(item, amount.minor))) throw createForeignRefundRefusal()
      const response = await call('/refund', signal, {
        transaction: providerTxnId,
        amount: amount.minor,
        currency: amount.currency,
        merchant_note: note,
      }).catch(rethrowAsUnreachable)
      if (isRefusal(response.status)) throw new GatewayRefusal(`the gateway returned ${response.status}`)
      return toRefund(refundResponse.parse(readOk(response)).data)
    },

    async findRefund({ providerTxnId, refundId }, signal) {
      const found = (await listRefundsOfTransaction(providerTxnId, signal)).find(item => item.id === refundId)
      return found?.status === 'processed' ? (found.amount ?? undefined) : undefined
    },
  }
}

/** True if a refund has our note. In the documented responses, the gateway appends the requester to the note. */
const hasNote = ({ merchant_note: found }: ListedRefund, note: string) =>
  ` ${found ?? ''} `.includes(` ${note} `)

/** True for a refund of this amount that this portal did not request. It may have been made for the same reason as ours. */
const isForeign = ({ amount, status, merchant_note: note }: ListedRefund, minor: number) =>
  amount === minor && status !== 'failed' && !(note ?? '').startsWith('refund ')

function createForeignRefundRefusal(): GatewayRefusal {
  const refusal = new GatewayRefusal('a refund of this amount was made elsewhere')
  refusal.staffNote =
    'The gateway lists a refund of the same amount that this portal did not request. If it covers this refund, record its number as the reference.'
  return refusal
}

const idOf = (transaction: string | { id: string }) =>
  typeof transaction === 'string' ? transaction : transaction.id
