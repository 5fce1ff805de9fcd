import { expect, test } from 'vitest'
import { errorCatalogue, errorCodes, isErrorCode, UNEXPECTED_ERROR, UNKNOWN_ERROR } from './errors.ts'

/* The error catalogue of the specification's section 8, verbatim. */

test.each([
  ['PAYMENT_FAILED', 'Payment failed. Please try again or use a different payment method.'],
  ['PAYMENT_CANCELLED', 'Payment was cancelled. You can try again when ready.'],
  ['PAYMENT_TIMEOUT', 'Payment timed out. Please try again.'],
  ['INSUFFICIENT_FUNDS', 'Insufficient funds. Please check your account balance.'],
  ['INVALID_CARD', 'Invalid card details. Please check and try again.'],
  ['CARD_DECLINED', 'Card was declined. Please try a different card or contact your bank.'],
  ['REQUERY_FAILED', 'Unable to verify payment status. Please try again or contact support.'],
  ['STATUS_CHECK_FAILED', 'Failed to check payment status. Please try again later.'],
  ['TRANSACTION_NOT_FOUND', 'Transaction not found. Please check the transaction ID and try again.'],
  ['CERTIFICATE_NOT_FOUND', 'Certificate not found in our database.'],
] as const)('%s has the message "%s"', { tags: ['SPEC-8.4', 'SPEC-8.7'] }, (code, message) =>
  expect(errorCatalogue[code].message).toBe(message),
)

test('has a default message and code for failures without them', () => {
  expect(UNEXPECTED_ERROR).toBe('An unexpected error occurred.')
  expect(UNKNOWN_ERROR).toBe('UNKNOWN_ERROR')
  expect(isErrorCode(UNKNOWN_ERROR)).toBe(false)
  expect(isErrorCode('toString')).toBe(false)
})

test('every code has a message and an error status', () => {
  for (const code of errorCodes) {
    const { status, message } = errorCatalogue[code]
    expect(message, code).toMatch(/^[A-Z].*\.$/)
    expect(status, code).toBeGreaterThanOrEqual(400)
    expect(status, code).toBeLessThan(600)
  }
})
