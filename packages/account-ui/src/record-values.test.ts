import { formatMoney } from '@portal/format/money'
import { expect, test } from 'vitest'
import { valueInWords } from './record-values.ts'

test('a fee is money, whether it is stored or still text of a form', () => {
  expect(valueInWords('verification_fee', 6500)).toBe(formatMoney(6500))
  expect(valueInWords('fee', '6500.00')).toBe(formatMoney(6500))
  expect(valueInWords('fee', '')).toBe('none')
})
