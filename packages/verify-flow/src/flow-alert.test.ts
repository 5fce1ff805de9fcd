import { ApiError } from '@portal/api/error'
import { expect, test } from 'vitest'
import { alertOf, isNotFound, mayRetry } from './flow-alert.ts'

const makeApiError = (status: number, code: string, overrides = {}) =>
  new ApiError('From the server.', { status, code, ...overrides })

test('shows the server’s message', () => {
  expect(alertOf(makeApiError(503, 'GATEWAY_UNAVAILABLE'))).toEqual({
    tone: 'error',
    text: 'From the server.',
  })
  expect(alertOf(new Error('Broken.'))).toEqual({ tone: 'error', text: 'Broken.' })
})

test('shows the message about the number’s field, if there is one', () => {
  const error = makeApiError(400, 'VALIDATION_ERROR', {
    fields: { certificate_number: 'Please enter a valid certificate number.' },
  })
  expect(alertOf(error).text).toBe('Please enter a valid certificate number.')
})

test('adds that nothing was charged for an unknown number, and when to retry after a rate limit', () => {
  expect(alertOf(makeApiError(404, 'CERTIFICATE_NOT_FOUND')).detail).toContain('You have not been charged.')
  expect(alertOf(makeApiError(429, 'RATE_LIMITED', { retryAfter: 90 })).detail).toBe(
    'You can try again in 1m 30s.',
  )
})

test.each([
  [0, true, false],
  [500, true, false],
  [503, true, false],
  [404, false, true],
  [429, false, false],
])('for status %i, a retry may help: %s; not found: %s', (status, retry, notFound) => {
  expect(mayRetry(makeApiError(status, 'X'))).toBe(retry)
  expect(isNotFound(makeApiError(status, 'X'))).toBe(notFound)
})
