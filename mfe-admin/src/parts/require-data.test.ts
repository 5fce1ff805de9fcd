import { isApiError, messageOf } from '@portal/api/error'
import { expect, test } from 'vitest'
import { requireData } from './require-data.ts'

const requireFee = requireData((data: { fee?: number | null }) => data.fee)

test('returns a response with the required data unchanged, even if the data is falsy', () => {
  const response = { fee: 0 }
  expect(requireFee(response)).toBe(response)
})

test.each([{}, { fee: null }, null])('throws for %j, with the message of the error catalogue', response => {
  let failure: unknown
  try {
    requireFee(response as { fee?: number })
  } catch (error) {
    failure = error
  }
  expect(isApiError(failure)).toBe(true)
  expect(messageOf(failure)).toBe('An unexpected error occurred.')
})
