import { expect, test } from 'vitest'
import { formatRate, taxFormSchema } from './tax-form.ts'

test.each([
  ['7.5', 750],
  ['7.55', 755],
  ['0', 0],
  ['50', 5000],
  [' 8 ', 800],
])('converts %s percent to %d basis points', (typed, basis_points) => {
  expect(taxFormSchema.parse({ name: 'VAT', basis_points: typed })).toEqual({ name: 'VAT', basis_points })
})

test.each([
  ['', 'Please enter the tax rate as a number.'],
  ['x', 'Please enter the tax rate as a number.'],
  ['-1', 'The tax rate cannot be less than 0.'],
  ['50.01', 'The tax rate cannot be more than 50%.'],
  ['7.555', 'Please use at most two decimals.'],
])('rejects the rate "%s"', (typed, message) => {
  const { error } = taxFormSchema.safeParse({ name: 'VAT', basis_points: typed })
  expect(error?.issues.map(issue => issue.message)).toEqual([message])
})

test('formats a rate as a percentage', () => {
  expect([750, 0, 1000].map(formatRate)).toEqual(['7.5', '0', '10'])
})
