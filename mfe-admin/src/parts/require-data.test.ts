import { isApiError, messageOf } from '@portal/api/error'
import { expect, test } from 'vitest'
import { requireData } from './require-data.ts'

const needed = requireData((data: { fee?: number | null }) => data.fee)

test('passes a response with the required data, even if falsy', () => {
  const answer = { fee: 0 }
  expect(needed(answer)).toBe(answer)
})

test.each([{}, { fee: null }, null])('fails for %j with the catalogue’s message', answer => {
  let failure: unknown
  try {
    needed(answer as { fee?: number })
  } catch (error) {
    failure = error
  }
  expect(isApiError(failure)).toBe(true)
  expect(messageOf(failure)).toBe('An unexpected error occurred.')
})
