import { expect, test } from 'vitest'
import { waitInWords } from './background-work.ts'

test('formats a duration in the largest unit that fits, rounded down', () => {
  const minute = 60_000
  expect(
    [0, minute, 59 * minute, 60 * minute, 119 * minute, 47 * 60 * minute, 48 * 60 * minute].map(waitInWords),
  ).toEqual(['under a minute', '1 minute', '59 minutes', '1 hour', '1 hour', '47 hours', '2 days'])
})
