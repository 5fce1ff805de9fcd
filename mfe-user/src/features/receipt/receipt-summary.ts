import type { StatusItem, StatusReply } from '@portal/contract/verification'
import { bulkDisplay } from '@portal/format/bulk-status'
import { moneyNote } from '@portal/format/money-note'
import { paymentDisplay, type StatusDisplay } from '@portal/format/status'

/** The title, status and note of a page about a payment, which is a receipt only if money was received. */
export interface ReceiptSummary {
  title: string
  display: StatusDisplay
  /** True if money was received; only then is the page a receipt. */
  received: boolean
  /** A note that the page must show prominently. */
  note: string
}

const NOT_PAID_YET = 'This is not a receipt: nothing has been paid yet.'
const NOT_PAID = 'This is not a receipt: nothing was paid.'
const CONTINUE_HINT = 'While the payment is open, you can continue it from your verification history.'

export function receiptSummaryOf(payment: StatusReply): ReceiptSummary {
  const { status, resolution, verification_status, amount_paid: amount, message } = payment
  const { refund_due: due, refunded } = payment
  const display = paymentDisplay(status)
  const note =
    moneyNote({ status, resolution, found: verification_status === 'success', excess: due > 0 })?.text ?? ''
  if (resolution === 'reversed') return { title: 'Payment reversed', display, received: true, note }
  if (status === 'paid') {
    const isFullyRefunded = refunded > 0 && refunded === amount
    return {
      title: 'Receipt',
      display: isFullyRefunded ? bulkDisplay('refunded') : display,
      received: true,
      note: note || (refunded > 0 ? 'Part of this payment was refunded.' : ''),
    }
  }
  if (due > 0 || refunded > 0) {
    return {
      title: 'Payment received, not applied',
      display: bulkDisplay('refund_due'),
      received: true,
      note,
    }
  }
  if (resolution === 'review') {
    return { title: 'Payment under review', display, received: false, note: `This is not a receipt. ${note}` }
  }
  if (status === 'pending') {
    return { title: 'Not paid yet', display, received: false, note: `${NOT_PAID_YET} ${CONTINUE_HINT}` }
  }
  return { title: 'Not paid', display, received: false, note: `${NOT_PAID} ${message}` }
}

function resultOf({ status, verification_status, resolution }: StatusItem): string {
  if (resolution === 'refund_due') return 'Refund due'
  if (resolution === 'refunded') return 'Refunded'
  if (resolution === 'reversed') return 'Reversed'
  if (status === 'failed') return 'Not paid'
  if (status === 'pending') return 'Pending'
  return verification_status === 'success' ? 'Certificate Found' : 'Certificate Not Found'
}

/** Returns the lines of a receipt, one per certificate. */
export const linesOf = ({ items }: StatusReply) =>
  items.map(item => ({
    number: item.certificate_number,
    result: resultOf(item),
    amount: item.amount,
  }))
