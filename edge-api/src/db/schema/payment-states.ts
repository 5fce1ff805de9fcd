/*
 * The states of a payment and its transitions. Pure: facts go in, a state comes out. The source of the fact (webhook, browser,
 * status check, scheduler, admin) makes no difference.
 */

export const paymentStates = [
  'created',
  'pending',
  'unknown',
  'processing',
  'paid',
  'mismatched',
  'failed',
  'cancelled',
  'expired',
  'review',
  'refunded',
  'reversed',
] as const
export type PaymentState = (typeof paymentStates)[number]

export const paymentFacts = [
  /** The gateway responded to the start: the payer can be sent there. */
  'initiated',
  /** The start was not answered in time, or its process has stopped: the gateway's state is unknown. */
  'unanswered',
  /** The gateway refused the start; nothing was created there. */
  'refused',
  /** The gateway reports that the payer is still paying (09, Z0). */
  'in_progress',
  /** Money was received: reference, currency and mode match, and the amount is sufficient. */
  'money_matches',
  /** Money was received, but too little, or in another currency or mode. */
  'money_differs',
  'declined',
  'cancelled',
  /** Past its expiry, and a new response from the gateway does not report it in progress. */
  'lapsed',
  /** The gateway has closed the payment because it was late, or no longer reports a late one in progress. */
  'closed_late',
  /** The schedule of requeries has ended without an answer. */
  'exhausted',
  'refund_processed',
  'reversed',
] as const
export type PaymentFact = (typeof paymentFacts)[number]

export interface Transition {
  from: readonly PaymentState[]
  fact: PaymentFact
  to: PaymentState
}

/** States in which no money has been received. */
const unpaidStates = [
  'created',
  'pending',
  'unknown',
  'processing',
  'failed',
  'cancelled',
  'expired',
  'review',
] as const satisfies readonly PaymentState[]

/** States in which the attempt is the one open attempt of its user and number. */
export const openStates = [
  'created',
  'pending',
  'unknown',
  'processing',
] as const satisfies readonly PaymentState[]

export const transitions: readonly Transition[] = [
  { from: ['created'], fact: 'initiated', to: 'pending' },
  { from: ['created'], fact: 'unanswered', to: 'unknown' },
  { from: ['created'], fact: 'refused', to: 'failed' },
  { from: ['pending', 'unknown'], fact: 'in_progress', to: 'processing' },
  { from: unpaidStates, fact: 'money_matches', to: 'paid' },
  { from: unpaidStates, fact: 'money_differs', to: 'mismatched' },
  { from: ['pending', 'processing', 'unknown'], fact: 'declined', to: 'failed' },
  { from: ['pending', 'processing', 'unknown'], fact: 'cancelled', to: 'cancelled' },
  { from: ['pending', 'unknown'], fact: 'lapsed', to: 'expired' },
  { from: ['pending', 'processing', 'unknown'], fact: 'closed_late', to: 'expired' },
  { from: ['pending', 'processing', 'unknown'], fact: 'exhausted', to: 'review' },
  { from: ['paid', 'mismatched'], fact: 'refund_processed', to: 'refunded' },
  { from: ['paid', 'mismatched'], fact: 'reversed', to: 'reversed' },
]

/** The state that `fact` leads to, or undefined if it changes nothing. */
export function transition(from: PaymentState, fact: PaymentFact): PaymentState | undefined {
  return transitions.find(row => row.fact === fact && row.from.includes(from))?.to
}

const includes = (states: readonly PaymentState[], state: PaymentState) => states.includes(state)

/** True while a second attempt for the same user and number must wait for this one. */
export const isOpen = (state: PaymentState): boolean => includes(openStates, state)

/** True while no money was received, so that a requery may still find some. */
export const isUnpaid = (state: PaymentState): boolean => includes(unpaidStates, state)

/** How one item of a paid payment ends. */
export type ItemOutcome = 'verified' | 'not_found' | 'refund_due'
