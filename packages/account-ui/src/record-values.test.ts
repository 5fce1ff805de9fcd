import { formatMoney } from '@portal/format/money'
import { expect, test } from 'vitest'
import { valueInWords } from './record-values.ts'

test('a fee is shown as money, whether it is stored or still a form’s text', () => {
  expect(valueInWords('verification_fee', 6500)).toBe(formatMoney(6500))
  expect(valueInWords('fee', '6500.00')).toBe(formatMoney(6500))
  expect(valueInWords('fee', '')).toBe('none')
})

test('a tax rate is a percentage, whether it is stored or still text of a form', () => {
  expect(valueInWords('basis_points', 750)).toBe('7.5%')
  expect(valueInWords('basis_points', '7.5')).toBe('7.5%')
})
