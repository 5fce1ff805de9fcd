import { isApiError, messageOf } from '@portal/api/error'
import { expect, test } from 'vitest'
import { requireData } from './require-data.ts'

const needed = requireData((data: { fee?: number | null }) => data.fee)

test('passes a response with the required data, even if falsy', () => {
  const response = { fee: 0 }
  expect(needed(response)).toBe(response)
})

test.each([{}, { fee: null }, null])('fails for %j with the catalogue’s message', response => {
  let failure: unknown
  try {
    needed(response as { fee?: number })
  } catch (error) {
    failure = error
  }
  expect(isApiError(failure)).toBe(true)
  expect(messageOf(failure)).toBe('An unexpected error occurred.')
})
