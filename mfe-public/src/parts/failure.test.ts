import { ApiError } from '@portal/api/error'
import { describe, expect, it } from 'vitest'
import { failureText, resetFailureText, retryText, toErrorText, trackingFailureText } from './failure.ts'

describe('retryText', () => {
  it.each([
    [0, 'Try again in 1 second.'],
    [1, 'Try again in 1 second.'],
    [42.2, 'Try again in 43 seconds.'],
    [89, 'Try again in 89 seconds.'],
    [90, 'Try again in 2 minutes.'],
    [900, 'Try again in 15 minutes.'],
  ])('for a delay of %d s is "%s"', (seconds, text) => expect(retryText(seconds)).toBe(text))
})

describe('failureText', () => {
  it('states when to retry only if the server does', () => {
    expect(failureText({ message: 'No.', code: 'X' })).toBe('No.')
    expect(failureText({ message: 'Too many.', code: 'RATE_LIMITED', retryAfter: 60 })).toBe(
      'Too many. Try again in 60 seconds.',
    )
  })
})

describe('toErrorText', () => {
  it('adds when to retry to the message of a rate-limited call, and returns the message of any other error', () => {
    const refused = new ApiError('Too many.', { status: 429, code: 'RATE_LIMITED', retryAfter: 60 })
    expect(toErrorText(refused)).toBe('Too many. Try again in 60 seconds.')
    expect(toErrorText(new Error('No page.'))).toBe('No page.')
  })
})

describe('resetFailureText', () => {
  it.each(['INVALID_RESET_TOKEN', 'EXPIRED_RESET_TOKEN'])(
    'suggests a new link for %s',
    { tags: ['SPEC-8.6'] },
    code => {
      expect(resetFailureText({ code, message: 'This link is spent.' })).toBe(
        'This link is spent. Please request a new password reset link.',
      )
    },
  )
  it('does not change the text of other failures', () => {
    expect(resetFailureText({ code: 'VALIDATION_ERROR', message: 'Too short.' })).toBe('Too short.')
  })
})

describe('trackingFailureText', () => {
  it('returns a fixed text for a failed status check', { tags: ['SPEC-8.5'] }, () => {
    expect(
      trackingFailureText({ code: 'STATUS_CHECK_FAILED', message: 'Failed to check payment status.' }),
    ).toBe('Unable to check payment status. Please try again later.')
  })
  it('returns a fixed text for an unknown transaction', { tags: ['SPEC-8.5'] }, () => {
    expect(trackingFailureText({ code: 'TRANSACTION_NOT_FOUND', message: 'Not here.' })).toBe(
      'Transaction not found. Please check the transaction ID and try again.',
    )
  })
  it('returns the message of any other failure, with the time to retry', () => {
    expect(trackingFailureText({ code: 'RATE_LIMITED', message: 'Too many.', retryAfter: 30 })).toBe(
      'Too many. Try again in 30 seconds.',
    )
  })
})
