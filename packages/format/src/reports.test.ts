import { expect, test } from 'vitest'
import { eventSource, ledgerReason, paymentEvent, refundDisplay, refundNext } from './reports.ts'

test.each([
  ['due', 'gateway', 'A super admin approves it; the gateway then refunds it.'],
  ['due', 'bank', 'A super admin refunds it by bank transfer and records the reference.'],
  ['approved', null, 'The gateway is processing the refund; the portal checks its status.'],
  ['failed', 'gateway', 'A super admin retries it, or records how it was refunded instead.'],
  ['needs_attention', 'bank', 'A super admin refunds it by bank transfer and records the reference.'],
  ['needs_attention', null, 'Nothing to refund: the gateway already returned the money.'],
  ['processed', null, 'Done.'],
] as const)('states the next step of a refund with the status %s and the way %s', (status, way, next) => {
  expect(refundNext({ status, way })).toBe(next)
  expect(refundDisplay(status).label).not.toBe('')
})

test('labels events and their sources, and formats unknown ones as words', () => {
  expect(paymentEvent('failed_after_paid')).toBe('Failure reported after payment')
  expect(paymentEvent('something_new')).toBe('Something new')
  expect(ledgerReason('refund processed')).toBe('Refund sent')
  expect(ledgerReason('bank_charge')).toBe('Bank charge')
  expect(eventSource({ source: 'scheduler', type: 'paid' })).toBe('the scheduler')
  expect(eventSource({ source: 'user', type: 'created' })).toBe('the payer')
  expect(eventSource({ source: 'user', type: 'refunded' })).toBe('a super admin')
  expect(eventSource({ source: 'bank', type: 'paid' })).toBe('bank')
})
