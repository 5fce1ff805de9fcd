import { formatMoney } from '@portal/format/money'
import { expect, test } from 'vitest'
import { valueInWords } from './record-values.ts'

test('formats a fee as money, whether it is a stored number or text in a form', () => {
  expect(valueInWords('verification_fee', 6500)).toBe(formatMoney(6500))
  expect(valueInWords('fee', '6500.00')).toBe(formatMoney(6500))
  expect(valueInWords('fee', '')).toBe('none')
})

test('formats a tax rate as a percentage, whether it is a stored number or text in a form', () => {
  expect(valueInWords('basis_points', 750)).toBe('7.5%')
  expect(valueInWords('basis_points', '7.5')).toBe('7.5%')
})
