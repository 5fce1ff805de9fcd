import type { StatusReply } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { receiptSummaryOf } from './receipt-summary.ts'

const summarise = (changes: Partial<StatusReply>) => {
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

test('titles the page as a receipt only if money was received and applied', () => {
  expect(summarise({})).toEqual(['Receipt', 'Payment Successful', ''])
  const unpaid = { resolution: null, amount_paid: null }
  expect(summarise({ ...unpaid, status: 'pending' })).toEqual([
    'Not paid yet',
    'Payment Pending',
    expect.stringMatching(/^This is not a receipt: nothing has been paid yet\. .*continue it/),
  ])
  expect(summarise({ ...unpaid, status: 'failed' })).toEqual([
    'Not paid',
    'Payment Failed',
    'This is not a receipt: nothing was paid. From the server.',
  ])
  expect(summarise({ ...unpaid, status: 'pending', resolution: 'review' })).toEqual([
    'Payment under review',
    'Payment Pending',
    expect.stringMatching(/^This is not a receipt\. .*do not pay again/),
  ])
})

test('describes refunds due, completed refunds and reversals', () => {
  expect(summarise({ refund_due: 5000, resolution: 'refund_due' })[2]).toContain('will be refunded')
  expect(summarise({ refund_due: 0.01 })[2]).toContain('The difference will be refunded')
  expect(summarise({ refunded: 5000, resolution: 'refunded' }).slice(0, 2)).toEqual(['Receipt', 'Refunded'])
  expect(summarise({ status: 'pending', resolution: 'refund_due', refund_due: 4999 })).toEqual([
    'Payment received, not applied',
    'Refund due',
    expect.stringContaining('does not match the amount due'),
  ])
  const reversed = summarise({ status: 'failed', resolution: 'reversed' })
  expect(reversed[0]).toBe('Payment reversed')
  expect(reversed[2]).toContain('no longer valid')
})
