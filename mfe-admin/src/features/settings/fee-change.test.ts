import { expect, test } from 'vitest'
import { feeInWords, isBelowMinimum, needsConfirmation } from './fee-change.ts'

test.each([
  [5000, 5000, false],
  [5000, 6000, false],
  [5000, 4000, false],
  [5000, 6000.01, true],
  [5000, 3999.99, true],
  [5000, 50000, true],
  [0, 1, true],
  [0.01, 0, true],
  [0, 0, false],
  [0.1, 0.12, false],
])('for a change from %d to %d, needsConfirmation is %s', (from, to, expected) =>
  expect(needsConfirmation(from, to)).toBe(expected),
)

test.each([
  [49.99, 50, true],
  [50, 50, false],
  [0, 50, false],
  [0.01, 0, false],
])('for a fee of %d and a minimum of %d, isBelowMinimum is %s', (fee, minimum, expected) =>
  expect(isBelowMinimum(fee, minimum)).toBe(expected),
)

test.each([
  [0, 'zero naira'],
  [15, 'fifteen naira'],
  [42.5, 'forty-two naira and fifty kobo'],
  [5000, 'five thousand naira'],
  [50000, 'fifty thousand naira'],
  [
    1_234_567.05,
    'one million two hundred and thirty-four thousand five hundred and sixty-seven naira and five kobo',
  ],
  [1001, 'one thousand and one naira'],
])('spells out a fee of %d as "%s"', (fee, words) =>
  expect(feeInWords(fee, 'NGN')).toMatch(new RegExp(` \\(${words}\\)$`)),
)
