import type { TaxLine } from '@portal/contract/tax'
import { formatMinor, formatMoney } from '@portal/format/money'
import { taxLabel } from '@portal/format/tax'
import { groupTransactionId } from '@portal/format/transaction-id'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { composeMail, type Recipient, type Sender } from '../mail/templates.ts'
import { type LinkedPayment, linkToOrganisation } from '../notifications/links.ts'
import { formatNumberList } from '../number-list.ts'
import type { Mail } from '../ports.ts'

interface MailedPayment extends LinkedPayment {
  transactionId: string
  reference: string
  /** Certificate numbers or, for a top-up, its description. */
  numbers: readonly string[]
}

/**
 * The outcome of a payment for the payer. `mismatched` means that the money did not match the payment, and so paid for nothing.
 */
type MailOutcome = ItemOutcome | 'mismatched'

const texts: Record<MailOutcome, { subject: string; preview: string; text: string }> = {
  verified: {
    subject: 'Your verification is complete',
    preview: 'The certificate was found; the official letter is ready.',
    text: 'The certificate was found in our records, and the official verification letter is ready to print.',
  },
  not_found: {
    subject: 'Your verification is complete: not found',
    preview: 'The number was not found in our records.',
    text:
      'The number was not found in our records. This does not mean that the certificate is a forgery: the number may be ' +
      'written differently, or the record may be missing. Please compare it with the certificate, or contact us.',
  },
  refund_due: {
    subject: 'Your payment will be refunded',
    preview: 'We received your payment and will refund it.',
    text:
      'We received your payment, but could not use it for a verification: the certificate was already paid for, is ' +
      'no longer in our records, or contains characters that the letter cannot print. Your payment will be refunded; you do not need to do anything.',
  },
  mismatched: {
    subject: 'Your payment will be refunded',
    preview: 'The amount received does not match the amount due.',
    text:
      'The amount or currency that we received does not match what was due, so the payment could not be used. It will ' +
      'be refunded; you do not need to do anything. You can start the verification again at any time.',
  },
}

/** Texts for a top-up of an organisation that was not credited. */
const topupTexts: (typeof texts)[MailOutcome] = {
  ...texts.mismatched,
  text:
    'The amount or currency that we received does not match what was due, so the payment was not credited to the balance. It ' +
    'will be refunded; you do not need to do anything. You can start a new top-up at any time.',
}

/** Returns the first paragraph of a mail about a payment, and the address that its button opens. */
const introOf = (sender: Sender, { numbers, purpose, organisationId }: MailedPayment) =>
  purpose === 'topup' && organisationId !== null
    ? {
        intro: `${numbers.join(', ')}.`,
        action: {
          label: 'Open billing',
          url: `${sender.publicUrl}${linkToOrganisation(organisationId, '/billing')}`,
        },
      }
    : {
        intro: `${numbers.length === 1 ? 'Certificate' : 'Certificates'}: ${formatNumberList(numbers)}.`,
        action: { label: 'Open your history', url: `${sender.publicUrl}/dashboard/history` },
      }

/** Returns a sentence about how many of several certificates have a letter. */
function describeFound(found: number, total: number): string {
  if (found === 0) return `None of the ${total} certificates could be verified.`
  return found === 1
    ? `1 of ${total} certificates was found in our records; its official verification letter is ready to print.`
    : `${found} of ${total} certificates were found in our records; their official verification letters are ready to print.`
}

/** Returns the texts about a payment for several certificates, which may have different outcomes. */
function textsForMany(outcomes: readonly ItemOutcome[]): (typeof texts)[MailOutcome] {
  const count = (outcome: ItemOutcome) => outcomes.filter(item => item === outcome).length
  const parts = [
    describeFound(count('verified'), outcomes.length),
    ...(count('not_found') > 0
      ? [`${count('not_found')} ${count('not_found') === 1 ? 'was' : 'were'} not found.`]
      : []),
    ...(count('refund_due') > 0
      ? [
          `${count('refund_due')} could not be verified; the amount you paid for ${count('refund_due') === 1 ? 'it' : 'them'} will be refunded.`,
        ]
      : []),
  ]
  const body = parts.join(' ')
  return { subject: 'Your verification is complete', preview: body, text: body }
}

/** Describes the parts of an amount: `, including VAT 7.5% of ₦348.84 and a payment fee of ₦102.83`. */
function describeIncluded({
  tax,
  passedOnMinor = 0,
  currency,
}: {
  tax?: TaxLine | undefined
  passedOnMinor?: number
  currency: string
}): string {
  const parts = [
    ...(tax ? [`${taxLabel(tax)} of ${formatMoney(tax.amount, currency)}`] : []),
    ...(passedOnMinor > 0 ? [`a payment fee of ${formatMinor(passedOnMinor, currency)}`] : []),
  ]
  return parts.length > 0 ? `, including ${parts.join(' and ')}` : ''
}

/** Returns the mail with both the result and the receipt. Of the certificate, it contains only the number. */
export function composeOutcomeMail(
  sender: Sender,
  to: Recipient,
  payment: MailedPayment & {
    /** The outcome for each number, if the money matched. */
    outcomes?: readonly ItemOutcome[]
    receivedMinor: number
    /** The gateway's fee that is included in the amount and borne by the payer. */
    passedOnMinor?: number
    currency: string
    tax?: TaxLine | undefined
    resolution: MailOutcome
  },
): Mail {
  const { outcomes = [] } = payment
  const isMixed = new Set(outcomes).size > 1 || (outcomes.length > 1 && payment.resolution === 'verified')
  const singleTexts = payment.purpose === 'topup' ? topupTexts : texts[payment.resolution]
  const { subject, preview, text: body } = isMixed ? textsForMany(outcomes) : singleTexts
  const { intro, action } = introOf(sender, payment)
  return composeMail(sender, to, {
    subject,
    preview,
    heading: subject,
    paragraphs: [
      intro,
      body,
      `Amount paid: ${formatMinor(payment.receivedMinor, payment.currency)}${describeIncluded(payment)}. Payment reference: ${payment.reference}. ` +
        `Transaction: ${groupTransactionId(payment.transactionId)}.`,
    ],
    action,
    notes: ['Please keep this email as your receipt.'],
  })
}

/** Returns the mail that notifies the payer of a refund and of how it was sent. */
export function composeRefundMail(
  sender: Sender,
  to: Recipient,
  payment: MailedPayment & {
    minor: number
    currency: string
    /** The bank's reference of a refund by bank transfer; null for a refund by the gateway. */
    bankReference: string | null
  },
): Mail {
  const { intro, action } = introOf(sender, payment)
  const amount = formatMinor(payment.minor, payment.currency)
  const refundMethod =
    payment.bankReference === null
      ? 'It was sent to the card or account you paid with. Your bank may take a few days to show it.'
      : `It was sent by bank transfer with the reference ${payment.bankReference}.`
  return composeMail(sender, to, {
    subject: 'Your refund was sent',
    preview: `${amount} was refunded to you.`,
    heading: 'Your refund was sent',
    paragraphs: [
      intro,
      `We refunded ${amount} to you. ${refundMethod}`,
      `Payment reference: ${payment.reference}. Transaction: ${groupTransactionId(payment.transactionId)}.`,
    ],
    action,
    notes: ['Please keep this email with your receipt.'],
  })
}
