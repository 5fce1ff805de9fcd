/*
 * The states of a payment and its transitions. A transition depends only on the state and a fact, and not on where the
 * fact came from (webhook, browser, status check, scheduler or admin).
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
  /** The gateway accepted the payment attempt, so the payer can be sent there. */
  'initiated',
  /**
   * The gateway did not answer the request to start the payment in time, or our process stopped, so it is unknown whether the
   * gateway has the payment.
   */
  'unanswered',
  /** The gateway refused to start the payment, and created nothing. */
  'refused',
  /** The gateway reports that the payer is still paying (codes 09 and Z0). */
  'in_progress',
  /** Money was received: reference, currency and mode match, and the amount is sufficient. */
  'money_matches',
  /** Money was received, but too little, or in another currency or mode. */
  'money_differs',
  'declined',
  'cancelled',
  /** The payment has expired, and the gateway's latest response does not report it as in progress. */
  'lapsed',
  /** The gateway closed the payment because it was late, or no longer reports a late payment as in progress. */
  'closed_late',
  /** The last scheduled requery was made without a definite result. */
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

/** States of a payment for which no money has been received. */
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

/** States of an open attempt. For each user and certificate number, there can be only one. */
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

/** Returns the state after `fact`, or undefined if the fact changes nothing. */
export function transition(from: PaymentState, fact: PaymentFact): PaymentState | undefined {
  return transitions.find(row => row.fact === fact && row.from.includes(from))?.to
}

const includes = (states: readonly PaymentState[], state: PaymentState) => states.includes(state)

/** True while another attempt by the same user for the same number must wait for this one. */
export const isOpen = (state: PaymentState): boolean => includes(openStates, state)

/** True while no money has been received, so that a requery may still find some. */
export const isUnpaid = (state: PaymentState): boolean => includes(unpaidStates, state)

/** Outcome of one item of a paid payment. */
export type ItemOutcome = 'verified' | 'not_found' | 'refund_due'
