/*
 * The states of a payment and the one way from each to the next. Pure: facts go in, a state comes out. Who found the
 * fact (webhook, browser, status check, tick, admin) makes no difference.
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
  /** The gateway answered the start: the payer can be sent there. */
  'initiated',
  /** The start was not answered in time, or the process that made it has stopped: the gateway's state is unknown. */
  'unanswered',
  /** The gateway refused the start; nothing was created there. */
  'refused',
  /** The gateway says that the payer is at it (09, Z0). */
  'in_progress',
  /** Money came: reference, currency and mode match, and it is enough. */
  'money_matches',
  /** Money came, but too little, or in another currency or mode. */
  'money_differs',
  'declined',
  'cancelled',
  /** Past its time, and a fresh answer of the gateway does not say that it is in progress. */
  'lapsed',
  /** The gateway has closed the payment for lateness, or no longer reports a late one to be in progress. */
  'closed_late',
  /** The schedule of requeries has come to its end without an answer. */
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
export const unpaidStates = [
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

/** The state that `fact` leads to, or undefined when it changes nothing there. */
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
