import { expect, test } from 'vitest'
import { notPaidNote } from './not-paid-note.ts'

test('titles every unpaid attempt "Payment Failed", as other screens do, and adds the reason', () => {
  const codes = ['PAYMENT_CANCELLED', 'PAYMENT_TIMEOUT', 'CARD_DECLINED', 'PAYMENT_FAILED', undefined]
  expect(codes.map(notPaidNote)).toEqual([
    { title: 'Payment Failed', text: 'Payment was cancelled. Nothing was charged.' },
    { title: 'Payment Failed', text: 'Payment timed out. Nothing was charged.' },
    { title: 'Payment Failed', text: 'Card was declined. Nothing was charged.' },
    { title: 'Payment Failed', text: 'Nothing was charged.' },
    { title: 'Payment Failed', text: 'Nothing was charged.' },
  ])
})
