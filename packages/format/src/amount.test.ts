import { expect, test } from 'vitest'
import { parseAmount } from './amount.ts'

test('parses amounts as people write them, and returns undefined for anything else', () => {
  expect(['50000', '50,000.5', '₦1,000.00', ' 10 000 '].map(parseAmount)).toEqual([
    50_000, 50_000.5, 1000, 10_000,
  ])
  for (const text of ['', '-5', '1.234', '5k', '1e6', '12345678901'])
    expect(parseAmount(text), text).toBeUndefined()
})
