import { formatMinor } from './money.ts'

/** A notification: its kind as in the contract, a title and a sentence. It contains no personal data. */
export interface Notice<Kind extends string = string> {
  readonly kind: Kind
  readonly title: string
  readonly body: string
}

interface PaymentFacts {
  /** The certificate numbers that were paid for. */
  numbers: readonly string[]
  /** Payment reference sent to the gateway. */
  reference: string
  /** Amount received, in minor units. */
  receivedMinor: number
  /** Amount received beyond the amount due, in minor units. */
  excessMinor: number
  currency: string
}

/** Returns what a payment was for: its certificate number, such as `UG/2019/00123`, or how many there are. */
export const subjectOf = (numbers: readonly string[]) =>
  numbers.length === 1 ? (numbers[0] ?? '') : `${numbers.length} certificate numbers`

const excessNote = ({ excessMinor, currency }: PaymentFacts) =>
  excessMinor > 0 ? ` You paid ${formatMinor(excessMinor, currency)} too much; it will be refunded.` : ''

/** Functions that return the notice to the payer about a payment's result. */
export const outcomeNotices = {
  verified: (facts: PaymentFacts) => ({
    kind: 'verified' as const,
    title: 'Certificate verified',
    body: `${subjectOf(facts.numbers)}: the official letter is ready to print.${excessNote(facts)}`,
  }),
  not_found: (facts: PaymentFacts) => ({
    kind: 'not_found' as const,
    title: 'Certificate not found',
    body: `${subjectOf(facts.numbers)}: not found in our register. Payment reference ${facts.reference}.${excessNote(facts)}`,
  }),
  refund_due: (facts: PaymentFacts) => ({
    kind: 'refund_due' as const,
    title: 'Refund due',
    body:
      `${subjectOf(facts.numbers)}: already paid for, no longer in our register, or without a letter that can be printed. ` +
      `${formatMinor(facts.receivedMinor, facts.currency)} will be refunded. Payment reference ${facts.reference}.`,
  }),
}

/** Returns the notice to staff that a certificate's data cannot be printed on a letter; `reason` names the characters. */
export const unprintableNotice = (certificate: string, reason: string) => ({
  kind: 'letter_unprintable' as const,
  title: 'A letter could not be printed',
  body: `${certificate}: ${reason}. Verification is refused until this is corrected.`,
})

/** Returns the notice for a bulk payment, whose certificates may have different results. */
export function bulkNotice(
  counts: { verified: number; not_found: number; refund_due: number },
  facts: PaymentFacts,
) {
  const parts = [
    `${counts.verified} verified`,
    ...(counts.not_found > 0 ? [`${counts.not_found} not found`] : []),
    ...(counts.refund_due > 0 ? [`${counts.refund_due} with a refund due`] : []),
  ]
  const body = `${subjectOf(facts.numbers)}: ${parts.join(', ')}. Payment reference ${facts.reference}.${excessNote(facts)}`
  return { kind: 'verified' as const, title: 'Verification complete', body }
}

/**
 * Returns the notice to the payer about a failed payment.
 * @param message the error catalogue's message about the failure
 */
export const failedNotice = (numbers: readonly string[], message: string) => ({
  kind: 'payment_failed' as const,
  title: 'Payment failed',
  body: `${subjectOf(numbers)}: ${message}`,
})

export const expiredNotice = (numbers: readonly string[]) => ({
  kind: 'payment_expired' as const,
  title: 'Payment expired',
  body: `${subjectOf(numbers)}: no payment was received in time. You can start again.`,
})

interface MismatchFacts {
  numbers: readonly string[]
  reference: string
  expected: { minor: number; currency: string }
  /** Undefined if a payment succeeded without money, as in test mode. */
  received: { minor: number; currency: string } | undefined
}

/** Returns the notice to the payer about a payment that could not be used. */
export function mismatchNotice({ numbers, reference, expected, received }: MismatchFacts) {
  if (!received || received.minor === 0) {
    return {
      kind: 'payment_review' as const,
      title: 'Payment under review',
      body: `${subjectOf(numbers)}: the payment could not be confirmed. Our staff will look into it. Payment reference ${reference}.`,
    }
  }
  return {
    kind: 'refund_due' as const,
    title: 'Refund due',
    body:
      `${subjectOf(numbers)}: we received ${formatMinor(received.minor, received.currency)} instead of ` +
      `${formatMinor(expected.minor, expected.currency)}. It will be refunded. Payment reference ${reference}.`,
  }
}

/** Returns the notice to staff about a payment that could not be used. It identifies the payment only by its reference. */
export function staffMismatchNotice({ reference, expected, received }: Omit<MismatchFacts, 'numbers'>) {
  const receivedText = received ? formatMinor(received.minor, received.currency) : 'no confirmed amount'
  return {
    kind: 'payment_mismatch' as const,
    title: 'Payment does not match',
    body: `Payment ${reference}: expected ${formatMinor(expected.minor, expected.currency)}, received ${receivedText}.`,
  }
}

export const reversedNotice = (numbers: readonly string[], reference: string) => ({
  kind: 'payment_reversed' as const,
  title: 'Payment reversed',
  body: `${subjectOf(numbers)}: the payment was reversed, so its letter is no longer valid. Payment reference ${reference}.`,
})

/** Returns the notice to the person who paid for a top-up of an organisation. */
export const topupReversedNotice = (subjects: readonly string[], reference: string) => ({
  kind: 'payment_reversed' as const,
  title: 'Payment reversed',
  body: `${subjectOf(subjects)}: the payment was reversed, so the amount was deducted from the balance. Payment reference ${reference}.`,
})

/** Functions that return the notice to a letter holder, by the letters' new status. One notice may be about several letters. */
export const letterStatusNotices = {
  withdrawn: (numbers: readonly string[]) => ({
    kind: 'certificate_withdrawn' as const,
    title: numbers.length === 1 ? 'Certificate withdrawn' : 'Certificates withdrawn',
    body:
      numbers.length === 1
        ? `${subjectOf(numbers)}: the certificate was withdrawn, so your letter for it is no longer valid.`
        : `${subjectOf(numbers)} were withdrawn, so your letters for them are no longer valid.`,
  }),
  superseded: (numbers: readonly string[]) => ({
    kind: 'certificate_corrected' as const,
    title: numbers.length === 1 ? 'Certificate corrected' : 'Certificates corrected',
    body:
      numbers.length === 1
        ? `${subjectOf(numbers)}: the certificate was corrected after your letter was issued. The corrected letter is in your history, free of charge.`
        : `${subjectOf(numbers)}: the certificates were corrected after your letters were issued. The corrected letters are in your history, free of charge.`,
  }),
  valid: (numbers: readonly string[]) => ({
    kind: 'certificate_restored' as const,
    title: numbers.length === 1 ? 'Letter valid again' : 'Letters valid again',
    body:
      numbers.length === 1
        ? `${subjectOf(numbers)}: the certificate matches your letter again, so your letter is valid as issued.`
        : `${subjectOf(numbers)}: the certificates match your letters again, so your letters are valid as issued.`,
  }),
}

export const emailVerifiedNotice = {
  kind: 'email_verified',
  title: 'Email verified',
  body: 'Welcome. Your account is active.',
} as const satisfies Notice

export const passwordChangedNotice = {
  kind: 'password_changed',
  title: 'Password changed',
  body: 'If this was not you, use Forgot Password on the home page immediately.',
} as const satisfies Notice
