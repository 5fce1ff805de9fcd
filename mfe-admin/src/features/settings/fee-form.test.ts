import { expect, it } from 'vitest'
import { feeFormSchema, feeText } from './fee-form.ts'

it.each([
  ['5000', 5000],
  ['0', 0],
  [' 0.01 ', 0.01],
  ['4999.99', 4999.99],
  ['1234567.89', 1234567.89],
])('accepts the fee %j', (fee, expected) => {
  expect(feeFormSchema.parse({ fee })).toEqual({ fee: expected })
})

it.each([
  ['', 'Please enter the fee as a number.'],
  ['  ', 'Please enter the fee as a number.'],
  ['free', 'Please enter the fee as a number.'],
  ['-1', 'The fee cannot be less than 0.'],
  ['10.005', 'Please use at most two decimals.'],
  ['10000001', 'The fee cannot be more than 10,000,000.'],
])('rejects the fee %j', (fee, message) => {
  expect(feeFormSchema.safeParse({ fee }).error?.issues[0]?.message).toBe(message)
})

it('shows amounts with two decimals', { tags: ['STAFF-10'] }, () => {
  expect(feeText(5000)).toBe('5000.00')
  expect(feeFormSchema.parse({ fee: feeText(0.1) })).toEqual({ fee: 0.1 })
})
