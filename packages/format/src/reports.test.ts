import { expect, test } from 'vitest'
import { eventSource, ledgerReason, paymentEvent, refundDisplay, refundNext } from './reports.ts'

test.each([
  ['due', 'gateway', 'A super admin approves it; the gateway then pays it back.'],
  ['due', 'bank', 'A super admin pays it back by bank and records the reference.'],
  ['approved', null, 'The gateway has the order; it is asked until the money went back.'],
  ['failed', 'gateway', 'A super admin approves it again; the gateway then gets a new order.'],
  ['needs_attention', 'bank', 'A super admin pays it back by bank and records the reference.'],
  ['needs_attention', null, 'Nothing to pay back: the gateway took the money back itself.'],
  ['processed', null, 'Done.'],
] as const)('a refund that is %s by %s', (status, way, next) => {
  expect(refundNext({ status, way })).toBe(next)
  expect(refundDisplay(status).label).not.toBe('')
})

test('events and their sources in words, unlisted ones in their own', () => {
  expect(paymentEvent('failed_after_paid')).toBe('Failure reported after it was paid')
  expect(paymentEvent('something_new')).toBe('Something new')
  expect(ledgerReason('refund processed')).toBe('Refund paid back')
  expect(ledgerReason('bank_charge')).toBe('Bank charge')
  expect(eventSource({ source: 'tick', type: 'paid' })).toBe('the schedule')
  expect(eventSource({ source: 'user', type: 'created' })).toBe('the payer')
  expect(eventSource({ source: 'user', type: 'refunded' })).toBe('a super admin')
  expect(eventSource({ source: 'bank', type: 'paid' })).toBe('bank')
})
