import { expect, test } from 'vitest'
import {
  isOpen,
  isUnpaid,
  type PaymentFact,
  type PaymentState,
  paymentFacts,
  paymentStates,
  transition,
} from './payment-states.ts'

const unchanged = Object.fromEntries(paymentFacts.map(fact => [fact, '-'])) as Record<PaymentFact, string>
const fromMoney = { money_matches: 'paid', money_differs: 'mismatched' }
const fromOpen = {
  ...fromMoney,
  declined: 'failed',
  cancelled: 'cancelled',
  closed_late: 'expired',
  exhausted: 'review',
}
const fromPaid = { refund_processed: 'refunded', reversed: 'reversed' }

/** The expected effect of every fact in every state, written by hand from the design; `-` means "changes nothing". */
const expected: Record<PaymentState, Record<PaymentFact, string>> = {
  created: { ...unchanged, ...fromMoney, initiated: 'pending', unanswered: 'unknown', refused: 'failed' },
  pending: { ...unchanged, ...fromOpen, in_progress: 'processing', lapsed: 'expired' },
  unknown: { ...unchanged, ...fromOpen, in_progress: 'processing', lapsed: 'expired' },
  processing: { ...unchanged, ...fromOpen },
  failed: { ...unchanged, ...fromMoney },
  cancelled: { ...unchanged, ...fromMoney },
  expired: { ...unchanged, ...fromMoney },
  review: { ...unchanged, ...fromMoney },
  paid: { ...unchanged, ...fromPaid },
  mismatched: { ...unchanged, ...fromPaid },
  refunded: unchanged,
  reversed: unchanged,
}

const cases = paymentStates.flatMap(state => paymentFacts.map(fact => ({ state, fact })))

test.each(cases)('a payment in state $state changes as designed on $fact', ({ state, fact }) => {
  expect(transition(state, fact) ?? '-').toBe(expected[state][fact])
})

test('a paid payment can only become refunded or reversed', () => {
  const exits = new Set(paymentFacts.map(fact => transition('paid', fact)).filter(Boolean))
  expect([...exits].sort()).toEqual(['refunded', 'reversed'])
})

test('open payments are unpaid, and those that ended without a payment can still be paid', () => {
  for (const state of paymentStates.filter(isOpen)) expect(isUnpaid(state)).toBe(true)
  for (const state of ['failed', 'cancelled', 'expired', 'review'] as const) {
    expect(isOpen(state)).toBe(false)
    expect(transition(state, 'money_matches')).toBe('paid')
  }
})
