import type { StatusDisplay } from './status.ts'

/* Texts of the staff reports. They are not in `status.ts`, because that file is part of every first load. */

const refunds = {
  due: { label: 'Due', tone: 'warning', icon: 'hourglass' },
  approved: { label: 'Approved', tone: 'info', icon: 'progress' },
  processed: { label: 'Refunded', tone: 'success', icon: 'tick' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  needs_attention: { label: 'Needs attention', tone: 'warning', icon: 'warning' },
} as const satisfies Record<string, StatusDisplay>

type RefundStatus = keyof typeof refunds

/** Returns how to show the status of a refund. */
export const refundDisplay = (status: RefundStatus): StatusDisplay => refunds[status]

const reasons = {
  mismatch: 'The amount or currency did not match',
  certificate_vanished: 'The certificate was deleted before it was paid for',
  organisation_closed: 'The organisation was closed before its top-up was paid',
  duplicate: 'A second payment for the same certificate',
  letter_not_printable: 'The letter could not be printed',
  over_payment: 'More was paid than was due',
  reversal_undone: 'Chargeback reversed after the refund was booked',
} as const

/** Returns the reason for a refund in words. */
export const refundReason = (reason: keyof typeof reasons): string => reasons[reason]

const steps = {
  retry: {
    instruction: 'Retry it, or record how it was refunded instead.',
    description: 'A super admin retries it, or records how it was refunded instead.',
  },
  transfer: {
    instruction: 'Refund it by bank transfer and record the reference.',
    description: 'A super admin refunds it by bank transfer and records the reference.',
  },
  account: {
    instruction:
      'Send the payer’s bank account to the gateway, or refund it by bank transfer and record the reference.',
    description:
      'A super admin sends the payer’s bank account to the gateway, or refunds it by bank transfer and records the reference.',
  },
  approve: {
    instruction: 'Approve it; the gateway then refunds it.',
    description: 'A super admin approves it; the gateway then refunds it.',
  },
}

/**
 * Returns the next step of a refund: as an instruction for a user who can take it, otherwise as a description of who
 * does. Returns undefined if the refund is complete.
 */
export function nextRefundStep(
  refund: { status: RefundStatus; way: 'gateway' | 'bank' | null; takes_account?: boolean },
  mayApprove: boolean,
): string | undefined {
  const { status, way } = refund
  if (status === 'processed') return undefined
  if (status === 'approved') return 'The gateway is processing the refund; the portal checks its status.'
  if (way === null) return 'Nothing to refund: the gateway already returned the money.'
  const viaGateway = status === 'failed' ? 'retry' : 'approve'
  const isAccountNeeded = refund.takes_account && status !== 'failed'
  const step = isAccountNeeded ? 'account' : way === 'gateway' ? viaGateway : 'transfer'
  return steps[step][mayApprove ? 'instruction' : 'description']
}

const mismatches = {
  missing_at_gateway: { label: 'Missing at the gateway', tone: 'danger', icon: 'question' },
  missing_here: { label: 'Not in the portal', tone: 'danger', icon: 'question' },
  status_differs: { label: 'Status differs', tone: 'warning', icon: 'warning' },
  amount_differs: { label: 'Amount differs', tone: 'danger', icon: 'warning' },
  unanswered: { label: 'No response', tone: 'neutral', icon: 'hourglass' },
} as const satisfies Record<string, StatusDisplay>

/** Returns how to show a kind of difference between the ledger and the gateway. */
export const mismatchDisplay = (kind: keyof typeof mismatches): StatusDisplay => mismatches[kind]

const accounts = {
  gateway_clearing: 'Gateway clearing',
  bank: 'Bank',
  revenue: 'Revenue',
  unapplied_receipts: 'Unapplied receipts',
  organisation_balances: 'Organisation balances',
  organisation_debts: 'Organisation debts',
  refund_payable: 'Refunds payable',
  fees: 'Fees',
  disputes: 'Disputes',
} as const

export const ledgerAccountLabel = (account: keyof typeof accounts): string => accounts[account]

const ledgerReasons = new Map([
  ['payment received', 'Payment received'],
  ['verified', 'Verification delivered'],
  ['not_found', 'Result delivered: not found'],
  ['mismatch', 'Refund due: did not match'],
  ['certificate_vanished', 'Refund due: certificate deleted'],
  ['duplicate', 'Refund due: second payment'],
  ['letter_not_printable', 'Refund due: letter not printable'],
  ['over_payment', 'Refund due: overpayment'],
  ['organisation_closed', 'Refund due: organisation closed'],
  ['reversed', 'Chargeback'],
  ['returned_elsewhere', 'Partial refund by the gateway, not requested here'],
  ['reversal_undone', 'Chargeback reversed'],
  ['refund processed', 'Refund sent'],
  ['gateway fee', 'Gateway fee'],
  ['fee passed on', 'Gateway fee, borne by the payer'],
  ['settled', 'Settled to the bank account'],
  ['dispute_opened', 'Disputed by the payer'],
  ['dispute_ended', 'Dispute closed without a loss'],
  ['dispute_lost', 'Lost in a dispute'],
  ['dispute_won', 'Returned after a dispute'],
  ['dispute_fee', 'Fee for a dispute'],
  ['refund by bank', 'Refund moved to bank transfer'],
])

/** Formats `something_new` as `Something new`. */
function asWords(text: string): string {
  const words = text.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the label of a ledger entry's reason; unknown reasons are formatted as words. */
export const ledgerReason = (reason: string): string => ledgerReasons.get(reason) ?? asWords(reason)

const sources = new Map([
  ['user', 'the payer'],
  ['webhook', 'the gateway’s callback'],
  ['return', 'the payer’s return'],
  ['scheduler', 'the scheduler'],
  ['reconcile', 'reconciliation'],
  ['seed', 'the demo data'],
])

const refundReasons = new Set(['refunded', 'refund_processed'])

/** Returns what triggered a payment event, such as the scheduler, or who did. */
export function eventSource({ source, type }: { source: string; type: string }): string {
  // Refunds are approved only by super admins.
  if (source === 'user' && refundReasons.has(type)) return 'a super admin'
  return sources.get(source) ?? source
}

const events = new Map([
  ['created', 'Started'],
  ['pending', 'Sent to the gateway'],
  ['unknown', 'The gateway did not respond to the payment request'],
  ['processing', 'In progress at the gateway'],
  ['paid', 'Paid'],
  ['mismatched', 'Amount or currency did not match'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['expired', 'Expired'],
  ['review', 'Under review'],
  ['refunded', 'Refunded'],
  ['reversed', 'Chargeback'],
  ['reversal_undone', 'Chargeback reversed'],
  ['refund_processed', 'Partially refunded'],
  ['failed_after_paid', 'Failure reported after payment'],
  ['dispute_opened', 'Disputed by the payer'],
  ['dispute_accepted', 'Dispute accepted'],
  ['dispute_contested', 'Dispute contested'],
  ['dispute_won', 'Dispute won'],
  ['dispute_lost', 'Dispute lost'],
  ['dispute_expired', 'Dispute not answered in time'],
  ['more_received', 'Additional payment received, refund due'],
  ['amount_differs', 'The gateway reported a different amount'],
  ['foreign_transaction', 'Gateway response for another payment'],
])

/** Returns the label of a payment event; unknown events are formatted as words. */
export const paymentEventLabel = (type: string): string => events.get(type) ?? asWords(type)
