import { expect, test } from 'vitest'
import { erasureBlockers } from './erasure.ts'

test.each([
  [0, 0, null],
  [1, 0, '1 payment is still open'],
  [0, 2, '2 refunds are still due'],
  [2, 1, '2 payments are still open and 1 refund is still due'],
])('for %i open payments and %i refunds due, returns %j', (open_payments, refunds_due, words) => {
  expect(erasureBlockers({ open_payments, refunds_due })).toBe(words)
})
