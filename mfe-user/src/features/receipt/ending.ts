import type { StatusItem, StatusReply } from '@portal/contract/verification'
import { bulkDisplay } from '@portal/format/bulk-status'
import { paymentDisplay, type StatusDisplay } from '@portal/format/status'

/** How a payment is told on its receipt. Only received money makes it one. */
export interface Ending {
  title: string
  display: StatusDisplay
  /** What the reader must not overlook. */
  note: string
}

const NOT_YET = 'This is not a receipt: no payment was received so far.'
const NEVER = 'This is not a receipt: no payment was received.'

export function endingOf(payment: StatusReply): Ending {
  const { status, resolution, amount_paid: received, refund_due: due, refunded, message } = payment
  const display = paymentDisplay(status)
  if (resolution === 'reversed') return { title: 'Payment reversed', display, note: message }
  if (status === 'paid') {
    if (due > 0)
      return { title: 'Receipt', display, note: 'Part or all of this payment is due to be refunded.' }
    return {
      title: 'Receipt',
      display: refunded > 0 && refunded === received ? bulkDisplay('refunded') : display,
      note: refunded > 0 ? 'Part or all of this payment was refunded.' : '',
    }
  }
  if (due > 0 || refunded > 0) {
    return { title: 'Payment received, not applied', display: bulkDisplay('refund_due'), note: message }
  }
  if (status === 'pending') return { title: 'Payment not completed', display, note: `${NOT_YET} ${message}` }
  return { title: 'Payment not made', display, note: `${NEVER} ${message}` }
}

function resultOf({ status, verification_status, resolution }: StatusItem): string {
  if (resolution === 'refund_due') return 'Refund due'
  if (resolution === 'refunded') return 'Refunded'
  if (resolution === 'reversed') return 'Reversed'
  if (status === 'failed') return 'Not paid'
  if (status === 'pending') return 'Pending'
  return verification_status === 'success' ? 'Certificate Found' : 'Certificate Not Found'
}

/** One line a certificate. */
export const partsOf = ({ items }: StatusReply) =>
  items.map(item => ({
    number: item.certificate_number,
    result: resultOf(item),
    amount: item.amount,
  }))
