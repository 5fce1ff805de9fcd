import type { StatusReply } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { endingOf } from './ending.ts'

const of = (changes: Partial<StatusReply>) => {
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
  // Only these of a reply are read.
  const { title, display, note } = endingOf(reply as StatusReply)
  return [title, display.label, note]
}

test('money that was received and used is a receipt, and nothing else is called one', () => {
  expect(of({})).toEqual(['Receipt', 'Payment Successful', ''])
  expect(of({ status: 'pending', resolution: null, amount_paid: null })).toEqual([
    'Payment not completed',
    'Payment Pending',
    'This is not a receipt: no payment was received so far. From the server.',
  ])
  expect(of({ status: 'failed', resolution: null, amount_paid: null })).toEqual([
    'Payment not made',
    'Payment Failed',
    'This is not a receipt: no payment was received. From the server.',
  ])
})

test('what is due back, went back or was taken back is said', () => {
  expect(of({ refund_due: 5000, resolution: 'refund_due' })[2]).toContain('due to be refunded')
  expect(of({ refunded: 5000, resolution: 'refunded' }).slice(0, 2)).toEqual(['Receipt', 'Refunded'])
  expect(of({ status: 'pending', resolution: 'refund_due', refund_due: 4999 })).toEqual([
    'Payment received, not applied',
    'Refund due',
    'From the server.',
  ])
  expect(of({ status: 'failed', resolution: 'reversed' })[0]).toBe('Payment reversed')
})
