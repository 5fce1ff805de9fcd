import { type ErrorCode, errorCatalogue, isErrorCode } from '@portal/contract/errors'
import type { Payment } from '../payments/store.ts'

const messages = {
  credited: 'The top-up was received and credited.',
  refundDue: 'The payment is due to be refunded to you.',
  reversed: 'The bank reversed this top-up.',
  pending: 'Payment still pending. Please complete the payment.',
  review: 'The payment gateway has not confirmed the payment. It is under review; please contact support.',
}

/** Returns a message about the state of a top-up and, for a failure, its error code. */
export function topupMessageOf({ status, resolution, declineCode }: Payment): {
  message: string
  code?: ErrorCode
} {
  if (status === 'refunded') return { message: 'The payment was refunded to you.' }
  if (resolution === 'refund_due') return { message: messages.refundDue }
  if (status === 'paid') return { message: messages.credited }
  if (status === 'reversed') return { message: messages.reversed, code: 'PAYMENT_FAILED' }
  if (status === 'review' || status === 'mismatched') return { message: messages.review }
  if (status === 'failed' || status === 'cancelled' || status === 'expired') {
    const fallback =
      status === 'cancelled'
        ? 'PAYMENT_CANCELLED'
        : status === 'expired'
          ? 'PAYMENT_TIMEOUT'
          : 'PAYMENT_FAILED'
    const code = declineCode !== null && isErrorCode(declineCode) ? declineCode : fallback
    return { message: errorCatalogue[code].message, code }
  }
  return { message: messages.pending }
}
