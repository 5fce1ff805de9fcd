import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { isUnpaid, type PaymentFact, type PaymentState } from '../db/schema/payment-states.ts'
import type { Money, Requery } from '../payment-gateway.ts'

/* Interprets the gateway's answers, and decides where money goes. Pure functions without a database or clock. */

/** Values with which the gateway's answer is compared. Reference, amount and mode are fixed when the attempt is started. */
export interface ExpectedPayment {
  reference: string
  amount: Money
  mode: 'test' | 'live'
  expiresAt: number
  state: PaymentState
  /** How often the gateway has answered "not found" so far, including this time. */
  notFoundAnswers: number
}

/**
 * Returns the fact that follows from an answer, or undefined if it adds nothing new. An answer about another reference, or a
 * success without an amount, is ignored.
 */
export function interpretAnswer(
  answer: Requery,
  expected: ExpectedPayment,
  now: number,
): PaymentFact | undefined {
  if (answer.reference !== expected.reference) return undefined
  // An attempt must not block its certificate for ever because the gateway gives no definite answer.
  const expiredFact =
    now < expected.expiresAt ? undefined : expected.state === 'processing' ? 'closed_late' : 'lapsed'
  switch (answer.outcome) {
    case 'succeeded':
      if (!answer.amountPaid) return undefined
      if (isUnpaid(expected.state) && isBeingRefunded(answer, expected)) return 'in_progress'
      return answer.mode === expected.mode &&
        answer.amountPaid.currency === expected.amount.currency &&
        answer.amountPaid.minor - computePassedOnFee(answer) >= expected.amount.minor
        ? 'money_matches'
        : 'money_differs'
    case 'processing':
      return 'in_progress'
    case 'failed':
      return 'declined'
    case 'cancelled':
      return 'cancelled'
    case 'expired':
      return 'closed_late'
    case 'reversed':
      return (isUnpaid(expected.state) && expiredFact) || 'reversed'
    case 'not_found':
      // If the gateway never confirmed that the payment was started, the payer has not seen a payment page, so two such answers
      // end the attempt early.
      if (expected.state === 'unknown') return expected.notFoundAnswers >= 2 ? 'lapsed' : undefined
      return expiredFact
    case 'pending':
    case 'unknown':
      return expiredFact
  }
}

/**
 * True if refunds have reduced a payment to less than the amount due. If it has not been booked yet, a later answer or staff
 * must then decide.
 */
function isBeingRefunded(answer: Requery, { amount }: ExpectedPayment) {
  const { amountPaid, returnedMinor = 0, returningMinor = 0 } = answer
  const returned = returnedMinor + returningMinor
  return returned > 0 && (amountPaid?.minor ?? 0) - computePassedOnFee(answer) - returned < amount.minor
}

/**
 * Returns the gateway's fee, if the gateway added it to the requested amount for the payer to bear. 0 unless the difference
 * equals that fee, give or take a minor unit for the gateway's rounding; any other difference is an overpayment.
 */
export function computePassedOnFee({ amountPaid, requestedMinor, feeMinor = 0 }: Requery): number {
  if (!amountPaid || requestedMinor === undefined || feeMinor <= 0) return 0
  const added = amountPaid.minor - requestedMinor
  return added > 0 && Math.abs(added - feeMinor) <= 1 ? added : 0
}

/** Reason why a paid item is not delivered, and its refund is due. */
export type UndeliveredReason = 'duplicate' | 'certificate_vanished' | 'letter_not_printable'

/** Decides the outcome of one item of a paid payment. */
export function outcomeOfItem(item: {
  /** True if the certificate is currently in the register. */
  isFound: boolean
  /** False if the letter would contain characters that cannot be printed. */
  isPrintable: boolean
  /** The policy for unknown numbers at the time when the attempt was started. */
  policy: 'free' | 'charge'
  /** True if the same user has already got this result through another payment. */
  isDuplicate: boolean
}): { outcome: ItemOutcome; reason?: UndeliveredReason } {
  if (item.isDuplicate) return { outcome: 'refund_due', reason: 'duplicate' }
  if (item.isFound && !item.isPrintable) return { outcome: 'refund_due', reason: 'letter_not_printable' }
  if (item.isFound) return { outcome: 'verified' }
  return item.policy === 'charge'
    ? { outcome: 'not_found' }
    : { outcome: 'refund_due', reason: 'certificate_vanished' }
}

/** True for payments that need no gateway: charges to an organisation's balance, and bank transfers to it. */
export const isWithoutGateway = (provider: string): boolean => provider === 'balance' || provider === 'bank'

/** Provider of the demo's past payments, which exist at no gateway. */
export const DEMO_PROVIDER = 'demo'

/** True if the payment may exist at a gateway. This is the same condition as `atGateway` in the schema. */
export const isAtGateway = (payment: { provider: string; amountMinor: number }): boolean =>
  payment.provider !== DEMO_PROVIDER && payment.amountMinor > 0 && !isWithoutGateway(payment.provider)

export type RefundReason =
  | 'mismatch'
  | 'certificate_vanished'
  | 'duplicate'
  | 'letter_not_printable'
  | 'over_payment'
  | 'reversal_undone'
  | 'organisation_closed'
export interface RefundDue {
  reason: RefundReason
  minor: number
  /** Identifies the cause, so that the same refund is not stored twice. */
  key: string
}
export type Account =
  | 'gateway_clearing'
  | 'bank'
  | 'revenue'
  | 'unapplied_receipts'
  | 'refund_payable'
  | 'fees'
  | 'disputes'
  | 'organisation_balances'
  | 'organisation_debts'
export interface Entry {
  account: Account
  minor: number
  reason: string
}

interface PaidItem {
  id: string
  minor: number
  outcome: ItemOutcome
  reason?: UndeliveredReason
}

/**
 * Returns the refunds and ledger entries (in minor units, adding up to zero) for money that matches the amount due.
 * @param passedOnMinor the gateway's fee within `receivedMinor`, borne by the payer; refunded if nothing is delivered
 */
export function bookReceipt(receivedMinor: number, items: readonly PaidItem[], passedOnMinor = 0) {
  const refunds: RefundDue[] = []
  const passedOn = items.some(item => !item.reason) ? passedOnMinor : 0
  const entries: Entry[] = [{ account: 'gateway_clearing', minor: receivedMinor, reason: 'payment received' }]
  let due = 0
  for (const item of items) {
    due += item.minor
    if (item.reason) refunds.push({ reason: item.reason, minor: item.minor, key: item.id })
    else entries.push({ account: 'revenue', minor: -item.minor, reason: item.outcome })
  }
  entries.push({ account: 'fees', minor: -passedOn, reason: 'fee passed on' })
  const excess = receivedMinor - passedOn - due
  if (excess > 0) refunds.push({ reason: 'over_payment', minor: excess, key: 'over_payment' })
  for (const refund of refunds) {
    entries.push({ account: 'refund_payable', minor: -refund.minor, reason: refund.reason })
  }
  return { refunds: refunds.filter(({ minor }) => minor > 0), entries: withoutZeros(entries) }
}

/** Returns the refund and ledger entries for money that does not match its payment: all of it is refunded. */
export function bookMismatch(receivedMinor: number) {
  const refunds: RefundDue[] =
    receivedMinor > 0 ? [{ reason: 'mismatch', minor: receivedMinor, key: 'mismatch' }] : []
  const entries: Entry[] = [
    { account: 'gateway_clearing', minor: receivedMinor, reason: 'payment received' },
    { account: 'unapplied_receipts', minor: -receivedMinor, reason: 'payment received' },
    { account: 'unapplied_receipts', minor: receivedMinor, reason: 'mismatch' },
    { account: 'refund_payable', minor: -receivedMinor, reason: 'mismatch' },
  ]
  return { refunds, entries: withoutZeros(entries) }
}

/**
 * Returns the refund and ledger entries for money received after a payment was booked. All of it is refunded: as an overpayment
 * if the payment had been applied, and otherwise as a mismatch.
 * @param excessMinor the additional amount within `totalMinor`, the amount received so far
 */
export function bookExcess({
  isApplied,
  excessMinor,
  totalMinor,
}: {
  isApplied: boolean
  excessMinor: number
  totalMinor: number
}) {
  const reason = isApplied ? ('over_payment' as const) : ('mismatch' as const)
  // Uses `@`, because `requestKey` appends the number of a repeated request after a colon.
  const refunds: RefundDue[] = [{ reason, minor: excessMinor, key: `${reason}@${totalMinor}` }]
  if (!isApplied) return { refunds, entries: bookMismatch(excessMinor).entries }
  const entries: Entry[] = [
    { account: 'gateway_clearing', minor: excessMinor, reason: 'payment received' },
    { account: 'refund_payable', minor: -excessMinor, reason },
  ]
  return { refunds, entries }
}

/**
 * Returns the ledger entries for a payment that the gateway reverses itself. Everything is reversed, except an amount refunded
 * by bank transfer: the payer has then received it twice, and owes it.
 */
export function bookReversal(balances: readonly { account: Account; minor: number }[]): Entry[] {
  const reason = 'reversed'
  const reversedBalances = balances.filter(({ account }) => account !== 'bank')
  const byBank = balances.find(({ account }) => account === 'bank')?.minor ?? 0
  return withoutZeros([
    ...reversedBalances.map(({ account, minor }) => ({ account, minor: -minor, reason })),
    { account: 'refund_payable', minor: -byBank, reason },
  ])
}

/**
 * Returns the ledger entries for a reversed amount that the gateway returns. Nothing is delivered for it, so it is owed to the
 * payer.
 */
export const bookUndoneReversal = (minor: number): Entry[] => [
  { account: 'gateway_clearing', minor, reason: 'reversal_undone' },
  { account: 'refund_payable', minor: -minor, reason: 'reversal_undone' },
]

/** Reasons of ledger entries between gateway, fees and bank. These count neither as receipts nor as refunds. */
export const GATEWAY_FEE = 'gateway fee'
export const SETTLED = 'settled'
export const DISPUTE_FEE = 'dispute_fee'

/** Returns the ledger entries for a gateway's fee that is `minor` more (or less, if negative) than was booked so far. */
export const bookGatewayFee = (minor: number): Entry[] =>
  withoutZeros([
    { account: 'fees', minor, reason: GATEWAY_FEE },
    { account: 'gateway_clearing', minor: -minor, reason: GATEWAY_FEE },
  ])

export const withoutZeros = (entries: readonly Entry[]) => entries.filter(({ minor }) => minor !== 0)

/** Returns a single status for a payment whose items may have different outcomes. */
export function resolutionOf(outcomes: readonly ItemOutcome[]): ItemOutcome {
  if (outcomes.includes('verified')) return 'verified'
  return outcomes.includes('refund_due') ? 'refund_due' : 'not_found'
}
