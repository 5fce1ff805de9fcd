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

const nothing = Object.fromEntries(paymentFacts.map(fact => [fact, '-'])) as Record<PaymentFact, string>
const money = { money_matches: 'paid', money_differs: 'mismatched' }
const live = {
  ...money,
  declined: 'failed',
  cancelled: 'cancelled',
  closed_late: 'expired',
  exhausted: 'review',
}
const received = { refund_processed: 'refunded', reversed: 'reversed' }

/** Every state against every fact, written by hand from the design; `-` means "changes nothing". */
const expected: Record<PaymentState, Record<PaymentFact, string>> = {
  created: { ...nothing, ...money, initiated: 'pending', unanswered: 'unknown', refused: 'failed' },
  pending: { ...nothing, ...live, in_progress: 'processing', lapsed: 'expired' },
  unknown: { ...nothing, ...live, in_progress: 'processing', lapsed: 'expired' },
  processing: { ...nothing, ...live },
  failed: { ...nothing, ...money },
  cancelled: { ...nothing, ...money },
  expired: { ...nothing, ...money },
  review: { ...nothing, ...money },
  paid: { ...nothing, ...received },
  mismatched: { ...nothing, ...received },
  refunded: nothing,
  reversed: nothing,
}

const cases = paymentStates.flatMap(state => paymentFacts.map(fact => ({ state, fact })))

test.each(cases)('$state, when $fact', ({ state, fact }) => {
  expect(transition(state, fact) ?? '-').toBe(expected[state][fact])
})

test('money received is never undone: paid only leads to refunded and reversed', () => {
  const exits = new Set(paymentFacts.map(fact => transition('paid', fact)).filter(Boolean))
  expect([...exits].sort()).toEqual(['refunded', 'reversed'])
})

test('open payments are unpaid, and those that ended without money can still be paid', () => {
  for (const state of paymentStates.filter(isOpen)) expect(isUnpaid(state)).toBe(true)
  for (const state of ['failed', 'cancelled', 'expired', 'review'] as const) {
    expect(isOpen(state)).toBe(false)
    expect(transition(state, 'money_matches')).toBe('paid')
  }
})
