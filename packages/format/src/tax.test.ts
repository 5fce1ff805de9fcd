import { expect, test } from 'vitest'
import { includedTax, taxLabel } from './tax.ts'

test.each([
  ['7.5% of 5,000.00', 500_000, 750, 34_884],
  ['no tax', 500_000, 0, 0],
  ['an amount of zero', 0, 750, 0],
  ['exactly one kobo', 11, 1000, 1],
  ['half a kobo, which is rounded up', 1, 10_000, 1],
  ['less than half a kobo', 1, 750, 0],
  ['a refund', -500_000, 750, -34_884],
  ['a refund of half a kobo', -1, 10_000, -1],
])('calculates the tax within an amount: %s', (_, minor, basisPoints, tax) => {
  expect(includedTax(minor, basisPoints)).toBe(tax)
})

test('formats a tax as its name and rate', () => {
  expect([750, 1000, 1725].map(basis_points => taxLabel({ name: 'VAT', basis_points }))).toEqual([
    'VAT 7.5%',
    'VAT 10%',
    'VAT 17.25%',
  ])
})
