import { isApiError, messageOf } from '@portal/api/error'
import { expect, test } from 'vitest'
import { requireData } from './require-data.ts'

const needed = requireData((data: { fee?: number | null }) => data.fee)

test('an answer with what is needed passes as it is, also when that is nothing much', () => {
  const answer = { fee: 0 }
  expect(needed(answer)).toBe(answer)
})

test.each([{}, { fee: null }, null])(
  'an answer without it is a failure in the catalogue’s words: %j',
  answer => {
    let failure: unknown
    try {
      needed(answer as { fee?: number })
    } catch (error) {
      failure = error
    }
    expect(isApiError(failure)).toBe(true)
    expect(messageOf(failure)).toBe('An unexpected error occurred.')
  },
)
