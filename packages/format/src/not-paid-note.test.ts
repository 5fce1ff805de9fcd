import { expect, test } from 'vitest'
import { notPaidNote } from './not-paid-note.ts'

test('states why a payment was not completed, and that nothing was charged', () => {
  const codes = ['PAYMENT_CANCELLED', 'PAYMENT_TIMEOUT', 'CARD_DECLINED', 'PAYMENT_FAILED', undefined]
  expect(codes.map(notPaidNote)).toEqual([
    'Payment was cancelled. Nothing was charged.',
    'Payment timed out. Nothing was charged.',
    'Card was declined. Nothing was charged.',
    'The payment was not completed. Nothing was charged.',
    'The payment was not completed. Nothing was charged.',
  ])
})
