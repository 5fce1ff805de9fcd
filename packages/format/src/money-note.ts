/** An explanation of what happened to a payment that did not simply pay for a verification, with the next step. */
export interface MoneyNote {
  title: string
  text: string
  /** Short form, for a table row. */
  brief: string
  tone: 'warning' | 'info'
}

export interface MoneyFacts {
  /** Status of the payment or, in a bulk payment, of one certificate: `pending`, `paid` or `failed`. */
  status: string
  resolution: string | null
  /** True if the certificate was found. If a refund is due as well, the certificate had already been paid for. */
  found: boolean
  /** True if more than the amount due was paid; the difference is refunded. */
  excess?: boolean
}

/** Worded for any payment method: card, bank account or USSD. */
const NOTHING_TO_DO = 'to the card or account you paid from. You don’t need to do anything.'

const warning = (title: string, text: string, brief: string): MoneyNote => ({
  title,
  text,
  brief,
  tone: 'warning',
})
const info = (title: string, text: string, brief: string): MoneyNote => ({ title, text, brief, tone: 'info' })

const UNDER_REVIEW = warning(
  'Payment under review',
  'The payment provider has not given a final answer, so our staff are looking into it. Please do not pay again for now: the outcome appears here and in your history.',
  'Our staff are looking into it; please do not pay again for now.',
)
const MISMATCHED = warning(
  'Refund due',
  `The amount received does not match the amount due, so the verification could not be completed. Your payment will be refunded ${NOTHING_TO_DO} You can start a new payment at any time.`,
  'The amount did not match; it will be refunded.',
)
const PAID_TWICE = info(
  'Refund due',
  `This certificate was already paid for, so this payment will be refunded ${NOTHING_TO_DO}`,
  'Already paid for; this payment will be refunded.',
)
const NOT_RELEASED = info(
  'Refund due',
  `Any amount that could not be used will be refunded ${NOTHING_TO_DO}`,
  'It will be refunded.',
)
const EXCESS = info(
  'Refund due',
  `You paid more than was due. The difference will be refunded ${NOTHING_TO_DO}`,
  'The difference will be refunded.',
)
const REFUNDED = info(
  'Refunded',
  'The money was refunded to the card or account you paid from, or by bank transfer. Your bank may take a few days to show it.',
  'Your bank may take a few days to show it.',
)
const REVERSED = warning(
  'Payment reversed',
  'The payment was reversed, so its result and its letter are no longer valid.',
  'The payment was reversed; the letter is no longer valid.',
)

/**
 * Returns the explanation, or null if none is needed. The verify screen, history, bulk verification, receipt and tracking all
 * get these texts here.
 */
export function moneyNote({ status, resolution, found, excess = false }: MoneyFacts): MoneyNote | null {
  switch (resolution) {
    case 'review':
      return UNDER_REVIEW
    case 'refund_due':
      if (status === 'pending') return MISMATCHED
      return found ? PAID_TWICE : NOT_RELEASED
    case 'refunded':
      return REFUNDED
    case 'reversed':
      return REVERSED
    default:
      return excess ? EXCESS : null
  }
}

/**
 * Shown after a failed attempt while the payment window is still open: with some gateways the attempt is over, while others let
 * the payer try again.
 */
export const TRY_IN_WINDOW =
  'The payment window is still open: try another way to pay there if it offers one, or return from there to try again here.'
