import type { StatusDisplay } from './status.ts'

/* Words of the staff's reports; apart from `status.ts`, which every first visit loads. */

const refunds = {
  due: { label: 'Due', tone: 'warning', icon: 'hourglass' },
  approved: { label: 'Approved', tone: 'info', icon: 'progress' },
  processed: { label: 'Paid back', tone: 'success', icon: 'tick' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  needs_attention: { label: 'Needs attention', tone: 'warning', icon: 'warning' },
} as const satisfies Record<string, StatusDisplay>

type RefundStatus = keyof typeof refunds

/** How far money is on its way back. */
export const refundDisplay = (status: RefundStatus): StatusDisplay => refunds[status]

const reasons = {
  mismatch: 'The amount or currency did not match',
  certificate_vanished: 'The certificate was gone when it was paid for',
  duplicate: 'A second payment for the same certificate',
  letter_not_printable: 'The letter could not be printed',
  over_payment: 'More was paid than was due',
  reversal_undone: 'The gateway had taken it back, and brought it again',
} as const

/** Why money goes back. */
export const refundReason = (reason: keyof typeof reasons): string => reasons[reason]

/** What happens next with a refund, and who does it. */
export function refundNext(refund: {
  status: RefundStatus
  way: 'gateway' | 'bank' | null
  takes_account?: boolean
}): string {
  const { status, way } = refund
  if (status === 'processed') return 'Done.'
  if (status === 'approved') return 'The gateway has the order; it is asked until the money went back.'
  if (way === null) return 'Nothing to pay back: the gateway took the money back itself.'
  if (status === 'failed') {
    return way === 'gateway'
      ? 'A super admin approves it again; the gateway then gets a new order.'
      : 'A super admin pays it back by bank and records the reference.'
  }
  if (refund.takes_account)
    return "A super admin sends the payer's bank account to the gateway, or pays it back by bank and records the reference."
  return way === 'gateway'
    ? 'A super admin approves it; the gateway then pays it back.'
    : 'A super admin pays it back by bank and records the reference.'
}

const mismatches = {
  missing_at_gateway: { label: 'Missing at the gateway', tone: 'danger', icon: 'question' },
  missing_here: { label: 'Unknown here', tone: 'danger', icon: 'question' },
  status_differs: { label: 'Status differs', tone: 'warning', icon: 'warning' },
  amount_differs: { label: 'Amount differs', tone: 'danger', icon: 'warning' },
  unanswered: { label: 'No answer', tone: 'neutral', icon: 'hourglass' },
} as const satisfies Record<string, StatusDisplay>

/** How our books and the gateway's differ. */
export const mismatchDisplay = (kind: keyof typeof mismatches): StatusDisplay => mismatches[kind]

const accounts = {
  gateway_clearing: 'Gateway clearing',
  bank: 'Bank',
  revenue: 'Revenue',
  unapplied_receipts: 'Unapplied receipts',
  refund_payable: 'Refunds payable',
  fees: 'Fees',
  disputes: 'Disputes',
} as const

export const ledgerAccountLabel = (account: keyof typeof accounts): string => accounts[account]

const bookings = new Map([
  ['payment received', 'Payment received'],
  ['verified', 'Verification delivered'],
  ['not_found', 'Answered: not found'],
  ['mismatch', 'To go back: did not match'],
  ['certificate_vanished', 'To go back: certificate gone'],
  ['duplicate', 'To go back: second payment'],
  ['letter_not_printable', 'To go back: letter not printable'],
  ['over_payment', 'To go back: over-paid'],
  ['reversed', 'Taken back by the gateway'],
  ['returned_elsewhere', 'Part of it refunded at the gateway, without an order from here'],
  ['reversal_undone', 'Brought again by the gateway'],
  ['refund processed', 'Refund paid back'],
  ['gateway fee', 'Gateway fee'],
  ['fee passed on', 'Gateway fee, borne by the payer'],
  ['settled', 'Settled to the bank account'],
  ['dispute_opened', 'Disputed by the payer'],
  ['dispute_ended', 'Dispute ended without a loss'],
  ['dispute_lost', 'Lost in a dispute'],
  ['dispute_won', 'Returned after a dispute'],
  ['dispute_fee', 'Fee for a dispute'],
  ['refund by bank', 'Moved: paid back by the bank'],
])

/** `something_new` as `Something new`. */
function ownWords(text: string): string {
  const words = text.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What an entry of the ledger was booked for; an unlisted reason keeps its own words. */
export const ledgerReason = (reason: string): string => bookings.get(reason) ?? ownWords(reason)

const sources = new Map([
  ['user', 'the payer'],
  ['webhook', 'the gateway’s call-back'],
  ['return', 'the payer’s return'],
  ['tick', 'the schedule'],
  ['reconcile', 'reconciliation'],
  ['seed', 'the demo data'],
])

const givenBack = new Set(['refunded', 'refund_processed'])

/** What made the portal look at a payment: who asked, where it was a person. */
export function eventSource({ source, type }: { source: string; type: string }): string {
  // Only a super admin approves what goes back.
  if (source === 'user' && givenBack.has(type)) return 'a super admin'
  return sources.get(source) ?? source
}

const events = new Map([
  ['created', 'Started'],
  ['pending', 'Sent to the gateway'],
  ['unknown', 'The gateway did not answer the start'],
  ['processing', 'In progress at the gateway'],
  ['paid', 'Paid'],
  ['mismatched', 'Money came that does not match'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['expired', 'Expired'],
  ['review', 'Put under review'],
  ['refunded', 'Refunded'],
  ['reversed', 'Taken back by the gateway'],
  ['reversal_undone', 'Brought again by the gateway'],
  ['refund_processed', 'Part of it paid back'],
  ['failed_after_paid', 'Failure reported after it was paid'],
  ['dispute_opened', 'Disputed by the payer'],
  ['dispute_accepted', 'Dispute accepted'],
  ['dispute_contested', 'Dispute contested'],
  ['dispute_won', 'Dispute won'],
  ['dispute_lost', 'Dispute lost'],
  ['dispute_expired', 'Dispute not answered in time'],
  ['more_received', 'More money came, due back'],
  ['amount_differs', 'The gateway told another amount'],
  ['foreign_transaction', 'Answered with another payment’s transaction'],
])

/** One event of a payment's story; an unlisted one keeps its own words. */
export const paymentEvent = (type: string): string => events.get(type) ?? ownWords(type)
