import type { StatusReply } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { receiptSummaryOf } from './receipt-summary.ts'

const summaryOfReceipt = (changes: Partial<StatusReply>) => {
  const reply: Partial<StatusReply> = {
    status: 'paid',
    resolution: 'verified',
    message: 'From the server.',
    amount_due: 5000,
    amount_paid: 5000,
    refund_due: 0,
    refunded: 0,
    refund_currency: 'NGN',
    ...changes,
  }
  // The tested code reads only these fields of a response.
  const { title, display, note } = receiptSummaryOf(reply as StatusReply)
  return [title, display.label, note]
}

test('only money that was received and used makes the page a receipt', () => {
  expect(summaryOfReceipt({})).toEqual(['Receipt', 'Payment Successful', ''])
  const unpaid = { resolution: null, amount_paid: null }
  expect(summaryOfReceipt({ ...unpaid, status: 'pending' })).toEqual([
    'Not paid yet',
    'Payment Pending',
    expect.stringMatching(/^This is not a receipt: nothing has been paid yet\. .*continue it/),
  ])
  expect(summaryOfReceipt({ ...unpaid, status: 'failed' })).toEqual([
    'Not paid',
    'Payment Failed',
    'This is not a receipt: nothing was paid. From the server.',
  ])
  expect(summaryOfReceipt({ ...unpaid, status: 'pending', resolution: 'review' })).toEqual([
    'Payment under review',
    'Payment Pending',
    expect.stringMatching(/^This is not a receipt\. .*do not pay again/),
  ])
})

test('refunds due, completed refunds and reversals are described', () => {
  expect(summaryOfReceipt({ refund_due: 5000, resolution: 'refund_due' })[2]).toContain('will be refunded')
  expect(summaryOfReceipt({ refund_due: 0.01 })[2]).toContain('The difference will be refunded')
  expect(summaryOfReceipt({ refunded: 5000, resolution: 'refunded' }).slice(0, 2)).toEqual([
    'Receipt',
    'Refunded',
  ])
  expect(summaryOfReceipt({ status: 'pending', resolution: 'refund_due', refund_due: 4999 })).toEqual([
    'Payment received, not applied',
    'Refund due',
    expect.stringContaining('does not match the amount due'),
  ])
  const reversed = summaryOfReceipt({ status: 'failed', resolution: 'reversed' })
  expect(reversed[0]).toBe('Payment reversed')
  expect(reversed[2]).toContain('no longer valid')
})
