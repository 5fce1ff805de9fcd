/** What became of money that did not simply bring a verification, and what happens next. */
export interface MoneyNote {
  title: string
  text: string
  /** The same for a row of a table. */
  brief: string
  tone: 'warning' | 'info'
}

export interface MoneyFacts {
  /** Of the payment or, in a bulk payment, of one certificate: `pending`, `paid` or `failed`. */
  status: string
  resolution: string | null
  /** Whether the certificate was found, all the same. */
  found: boolean
  /** More was received than was due, and the rest goes back. */
  excess?: boolean
}

/** Whatever was paid with: card, bank account, USSD. */
const NOTHING_TO_DO = 'to the card or account it came from; you do not need to do anything.'

const warning = (title: string, text: string, brief: string): MoneyNote => ({
  title,
  text,
  brief,
  tone: 'warning',
})
const info = (title: string, text: string, brief: string): MoneyNote => ({ title, text, brief, tone: 'info' })

const UNDER_REVIEW = warning(
  'Payment under review',
  'The payment provider has given no final answer, so our staff are settling it. Please do not pay again for now: the outcome appears here and in your history.',
  'Our staff are settling it; please do not pay again for now.',
)
const MISMATCHED = warning(
  'Refund due',
  `What was received is not what was to be paid, so nothing could be released for it. It goes back ${NOTHING_TO_DO} You can start a new payment at any time.`,
  'Not what was to be paid; it will be refunded.',
)
const PAID_TWICE = info(
  'Refund due',
  `This certificate was already paid for, so this payment goes back ${NOTHING_TO_DO}`,
  'Paid for before; this payment will be refunded.',
)
const NOT_RELEASED = info(
  'Refund due',
  `What was paid but could not be used goes back ${NOTHING_TO_DO}`,
  'It will be refunded.',
)
const EXCESS = info(
  'Refund due',
  `More was received than was due. The rest goes back ${NOTHING_TO_DO}`,
  'The rest will be refunded.',
)
const REFUNDED = info(
  'Refunded',
  'The money went back to the card or account it came from. Banks may take some days to show it.',
  'The money was returned.',
)
const REVERSED = warning(
  'Payment reversed',
  'The payment was reversed after it was made, so its result and its letter are no longer valid.',
  'The payment was reversed; the letter is no longer valid.',
)

/** One place for these words: the verify screen, history, bulk, receipt and tracking tell the same story. */
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

/** Why nothing was paid, in a few words beside 'Payment Pending'. `code` is one of the payment codes. */
export function notPaidNote(code: string | undefined): string {
  if (code === 'PAYMENT_CANCELLED') return 'Cancelled; nothing was charged.'
  if (code === 'PAYMENT_TIMEOUT') return 'Not paid in time.'
  return 'Declined; nothing was charged.'
}
