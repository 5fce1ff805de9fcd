import type { PublicStatusReply } from '@portal/contract/verification'
import { formatMoney } from '@portal/format/money'
import { type MoneyNote, moneyNote } from '@portal/format/money-note'
import { paymentDisplay, type StatusDisplay } from '@portal/format/status'

/** The content of the tracking page for a status, derived only from the response. */
export interface StatusView {
  /** Heading, icon and colour. */
  display: StatusDisplay
  /** One sentence under the heading. */
  message: string
  /** A warning, if money was received but the certificate was not found. */
  warning?: string
  certificate?: NonNullable<PublicStatusReply['certificate']>
  /** A note on what happens to the money if a payment does not lead to a normal verification. */
  note?: MoneyNote
}

/** The contract's response, but with any `status`, because a newer server must not break an open page. */
export type TrackedStatus = Omit<PublicStatusReply, 'status'> & { status: string }

const PAYMENT_FAILED = 'Your payment could not be processed. You can try again or contact support.'
const PAYMENT_PENDING = 'Your payment is being processed. This usually takes a few minutes.'
const PAYMENT_RECEIVED = 'Your payment was received.'
const NOT_FOUND =
  'Payment was successful, but the certificate was not found in our records. Please contact support with your payment reference.'
const UNKNOWN_STATUS = 'The status of this payment is unknown. Please contact support.'

/**
 * Returns the headings, texts and parts that the page shows for a tracked payment (specification, section 4 "Payment status
 * display").
 */
export function buildStatusView(reply: TrackedStatus): StatusView {
  const note = buildMoneyNote(reply)
  return { ...buildPaymentView(reply), ...(note && { note }) }
}

function buildMoneyNote(reply: TrackedStatus): MoneyNote | null {
  const { status, resolution, verification_status, refund_due: due, refunded } = reply
  const note = moneyNote({ status, resolution, found: verification_status === 'success', excess: due > 0 })
  const amount = resolution === 'refunded' ? refunded : due
  return note && amount > 0
    ? { ...note, title: `${note.title}: ${formatMoney(amount, reply.refund_currency)}` }
    : note
}

function buildPaymentView(reply: TrackedStatus): StatusView {
  const display = paymentDisplay(reply.status)
  switch (reply.status) {
    case 'paid': {
      const view = { display, message: reply.message || PAYMENT_RECEIVED }
      // After a refund, the page shows only the refund.
      if (reply.resolution === 'refunded') return view
      if (reply.verification_status === 'not_found') return { ...view, warning: NOT_FOUND }
      if (reply.verification_status === 'success' && reply.certificate)
        return { ...view, certificate: reply.certificate }
      return view
    }
    case 'failed':
      return { display, message: reply.message || PAYMENT_FAILED }
    case 'pending':
      return { display, message: reply.message || PAYMENT_PENDING }
    default:
      return { display, message: reply.message || UNKNOWN_STATUS }
  }
}
