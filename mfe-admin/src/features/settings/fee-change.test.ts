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
])('whether a change from %d to %d needs confirmation: %s', (from, to, needed) =>
  expect(needsConfirmation(from, to)).toBe(needed),
)

test.each([
  [49.99, 50, true],
  [50, 50, false],
  [0, 50, false],
  [0.01, 0, false],
])('whether a fee of %d is below a minimum of %d: %s', (fee, minimum, below) =>
  expect(isBelowMinimum(fee, minimum)).toBe(below),
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
])('spells out %d in words', (fee, words) =>
  expect(feeInWords(fee, 'NGN')).toMatch(new RegExp(` \\(${words}\\)$`)),
)
