import { formatMinor } from '@portal/format/money'
import { groupTransactionId } from '@portal/format/transaction-id'
import { compose, type Recipient, type Sender } from '../mail/templates.ts'
import type { Mail } from '../ports.ts'
import type { ItemOutcome } from './rules.ts'

/** How a payment ended, for the payer; `mismatched` money was not applied to anything. */
type Told = ItemOutcome | 'mismatched'

const words: Record<Told, { subject: string; preview: string; says: string }> = {
  verified: {
    subject: 'Your verification is complete',
    preview: 'The certificate was found; the official letter is ready.',
    says: 'The certificate was found in our records, and the official verification letter is ready to print.',
  },
  not_found: {
    subject: 'Your verification is complete: not found',
    preview: 'The number was not found in our records.',
    says:
      'The number was not found in our records. This does not say that a certificate is false: the number may be ' +
      'written differently, or the record may be missing. Please compare it with the certificate, or contact us.',
  },
  refund_due: {
    subject: 'Your payment will be refunded',
    preview: 'We received your payment and owe it back to you.',
    says:
      'We received your payment, but could not use it for a verification: the certificate was already paid for, or is ' +
      'no longer in our records. Your money is due back to you, and nothing more is needed from you.',
  },
  mismatched: {
    subject: 'Your payment will be refunded',
    preview: 'What we received is not what was to be paid.',
    says:
      'The amount or currency that we received is not what was to be paid, so it was not used. It is due back to you, ' +
      'and nothing more is needed from you. You can start the verification anew at any time.',
  },
}

/** Receipt and result in one: what was paid, and what came of it. Nothing of the certificate but its number. */
export function outcomeMail(
  sender: Sender,
  to: Recipient,
  told: {
    transactionId: string
    reference: string
    numbers: readonly string[]
    receivedMinor: number
    currency: string
    resolution: Told
  },
): Mail {
  const { subject, preview, says } = words[told.resolution]
  return compose(sender, to, {
    subject,
    preview,
    heading: subject,
    paragraphs: [
      `Certificate: ${told.numbers.join(', ')}.`,
      says,
      `Amount paid: ${formatMinor(told.receivedMinor, told.currency)}. Payment reference: ${told.reference}. ` +
        `Transaction: ${groupTransactionId(told.transactionId)}.`,
    ],
    action: { label: 'Open your history', url: `${sender.publicUrl}/dashboard/history` },
    notes: ['Please keep this mail as your receipt.'],
  })
}
