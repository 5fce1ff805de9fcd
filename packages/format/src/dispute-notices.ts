import { formatDateTime } from './dates.ts'
import { formatMinor } from './money.ts'

/* Notices about disputes for staff, in the portal and by email. */

export interface DisputeFacts {
  /** Payment reference sent to the gateway. */
  reference: string
  /** Disputed amount in minor units. */
  minor: number
  currency: string
  /** Deadline as ISO 8601 or as a Unix timestamp in milliseconds; null if the gateway sets none. */
  dueAt: number | string | null
  /** Other refunds of the payment, in minor units. */
  refundedMinor: number
}

const paymentLabel = ({ reference, minor, currency }: DisputeFacts) =>
  `Payment ${reference}, ${formatMinor(minor, currency)}`

const deadlineText = ({ dueAt }: DisputeFacts) =>
  dueAt === null ? 'The gateway has set no deadline.' : `Answer by ${formatDateTime(dueAt)}.`

const alreadyRefundedNote = ({ refundedMinor, currency }: DisputeFacts) =>
  refundedMinor > 0 ? ` ${formatMinor(refundedMinor, currency)} of it has already been refunded.` : ''

export const disputeOpenedNotice = (facts: DisputeFacts) => ({
  kind: 'dispute_opened' as const,
  title: 'Payment disputed',
  body: `${paymentLabel(facts)}: the payer disputed it with their bank. ${deadlineText(facts)}${alreadyRefundedNote(facts)}`,
})

export const disputeReminderNotice = (facts: DisputeFacts, reminder: 'half' | 'last') => ({
  kind: 'dispute_due' as const,
  title: reminder === 'last' ? 'Dispute: last reminder' : 'Dispute not answered yet',
  body: `${paymentLabel(facts)}: no one has answered the dispute. ${deadlineText(facts)} Without an answer, the money is returned to the payer.`,
})

const outcomes = {
  accepted: 'the dispute was accepted. The gateway returns the money to the payer.',
  won: 'the dispute was won. The institution keeps the money.',
  lost: 'the dispute was lost. The money was returned to the payer.',
  expired: 'no one answered the dispute in time. The money is returned to the payer.',
} as const

export const disputeEndedNotice = (facts: DisputeFacts, state: keyof typeof outcomes) => ({
  kind: 'dispute_ended' as const,
  title: state === 'won' ? 'Dispute won' : state === 'accepted' ? 'Dispute accepted' : 'Dispute lost',
  body: `${paymentLabel(facts)}: ${outcomes[state]}`,
})
