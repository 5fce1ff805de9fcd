import * as z from 'zod'
import type { GatewayPage, Outcome, PaymentGateway, Requery } from '../payment-gateway.ts'
import {
  cursorOf,
  declineOf,
  isNotFound,
  isReversal,
  outcomeOfReversal,
  payment,
  sumRefunds,
  transactionResponse,
} from './paystack-payment.ts'
import type { PaystackRefunds } from './paystack-refunds.ts'
import { MAX_LIST_BYTES, type PaystackCall, readOk } from './paystack-responses.ts'

const PER_PAGE = 100

const verifyResponse = z.object({ status: z.literal(true), data: payment })
const outcomes: Record<string, Outcome> = {
  success: 'succeeded',
  failed: 'failed',
  // The payer has not completed the payment, but still can until the page expires.
  abandoned: 'pending',
  ongoing: 'processing',
  pending: 'processing',
  processing: 'processing',
  queued: 'processing',
}

/** Reads transactions: one by its reference, or all of a period. */
export function paystackTransactions(
  call: PaystackCall,
  {
    mode,
    listRefundsOfTransaction,
  }: Pick<PaymentGateway, 'mode'> & Pick<PaystackRefunds, 'listRefundsOfTransaction'>,
): Pick<PaymentGateway, 'requery' | 'list'> {
  return {
    async requery(reference, _expected, signal): Promise<Requery> {
      const response = await call(`/transaction/verify/${encodeURIComponent(reference)}`, signal)
      if (isNotFound(response)) {
        return { outcome: 'not_found', reference, mode, raw: response.text }
      }
      const { data } = verifyResponse.parse(readOk(response))
      const refunds = isReversal(data.status)
        ? sumRefunds(data, await listRefundsOfTransaction(data.id, signal))
        : undefined
      const outcome = refunds ? outcomeOfReversal(data, refunds) : (outcomes[data.status] ?? 'unknown')
      return {
        outcome,
        reference: data.reference,
        mode: data.domain,
        status: data.status,
        raw: response.text,
        providerTxnId: data.id,
        ...refunds,
        ...(outcome === 'succeeded' && toMoney(data)),
        ...(outcome === 'succeeded' &&
          typeof data.requested_amount === 'number' && { requestedMinor: data.requested_amount }),
        ...(outcome === 'failed' && { declineCode: declineOf(data) }),
      }
    },

    async list(from, to, cursor, signal): Promise<GatewayPage> {
      const query = new URLSearchParams({
        from: from.toISOString(),
        to: to.toISOString(),
        perPage: String(PER_PAGE),
      })
      const token = /^next:(.+)$/.exec(cursor ?? '')?.[1]
      if (token) {
        query.set('use_cursor', 'true')
        query.set('next', token)
      } else {
        query.set('page', cursor ?? '1')
      }
      const response = await call(`/transaction?${query}`, signal, undefined, MAX_LIST_BYTES)
      const { data, meta } = transactionResponse.parse(readOk(response))
      const nextCursor = cursorOf(meta)
      const items = data.map(item => {
        // A reversal is `unknown` here, because only a requery shows its amount.
        const outcome = outcomes[item.status] ?? 'unknown'
        return {
          reference: item.reference,
          outcome,
          mode: item.domain,
          providerTxnId: item.id,
          ...(outcome === 'succeeded' && toMoney(item)),
        }
      })
      return { items, ...(nextCursor && { nextCursor }) }
    },
  }
}

/** Returns the amount paid and the gateway's fee, in kobo. */
const toMoney = ({ amount, currency, fees }: z.infer<typeof payment>) => ({
  amountPaid: { minor: amount, currency },
  ...(typeof fees === 'number' && { feeMinor: fees }),
})
