import { expect, test } from 'vitest'
import { eventSource, ledgerReason, nextRefundStep, paymentEventLabel, refundDisplay } from './reports.ts'

test.each([
  ['due', 'gateway', 'A super admin approves it; the gateway then refunds it.'],
  ['due', 'bank', 'A super admin refunds it by bank transfer and records the reference.'],
  ['approved', null, 'The gateway is processing the refund; the portal checks its status.'],
  ['failed', 'gateway', 'A super admin retries it, or records how it was refunded instead.'],
  ['needs_attention', 'bank', 'A super admin refunds it by bank transfer and records the reference.'],
  ['needs_attention', null, 'Nothing to refund: the gateway already returned the money.'],
  ['processed', null, undefined],
] as const)(
  'describes the next step of a refund with the status %s and the method %s',
  (status, way, expected) => {
    expect(nextRefundStep({ status, way }, false)).toBe(expected)
    expect(refundDisplay(status).label).not.toBe('')
  },
)

test('addresses a reader who can take the next step of a refund', () => {
  expect(nextRefundStep({ status: 'due', way: 'gateway' }, true)).toBe(
    'Approve it; the gateway then refunds it.',
  )
  expect(nextRefundStep({ status: 'failed', way: 'gateway' }, true)).toMatch(/^Retry it/)
  const refund = { status: 'needs_attention', way: 'bank' } as const
  expect(nextRefundStep(refund, true)).toBe('Refund it by bank transfer and record the reference.')
  expect(nextRefundStep({ ...refund, takes_account: true }, true)).toMatch(/^Send the payer’s bank account/)
  expect(nextRefundStep({ ...refund, takes_account: true }, false)).toMatch(/^A super admin sends/)
  expect(nextRefundStep({ status: 'processed', way: null }, true)).toBeUndefined()
})

test('labels events and their sources, and turns unknown codes into words', () => {
  expect(paymentEventLabel('failed_after_paid')).toBe('Failure reported after payment')
  expect(paymentEventLabel('something_new')).toBe('Something new')
  expect(ledgerReason('refund processed')).toBe('Refund sent')
  expect(ledgerReason('bank_charge')).toBe('Bank charge')
  expect(eventSource({ source: 'scheduler', type: 'paid' })).toBe('the scheduler')
  expect(eventSource({ source: 'user', type: 'created' })).toBe('the payer')
  expect(eventSource({ source: 'user', type: 'refunded' })).toBe('a super admin')
  expect(eventSource({ source: 'bank', type: 'paid' })).toBe('bank')
})
