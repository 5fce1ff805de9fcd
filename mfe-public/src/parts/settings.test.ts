import { expect, it } from 'vitest'
import { feeText } from './settings.ts'

it('formats the fee, using the default currency if none is given', () => {
  expect(feeText({ verification_fee: 2500, currency: 'NGN' })).toBe('₦2,500.00')
  expect(feeText({ verification_fee: 0, currency: 'USD' })).toBe('$0.00')
  expect(feeText({ verification_fee: 2500 } as never)).toBe('₦2,500.00')
  expect(feeText({ verification_fee: 2500, currency: null } as never)).toBe('₦2,500.00')
})

it('shows nothing if the response has no amount', () => {
  expect(feeText({ currency: 'NGN' } as never)).toBeUndefined()
  expect(feeText({ verification_fee: null, currency: 'NGN' } as never)).toBeUndefined()
  expect(feeText({ verification_fee: 'soon', currency: 'NGN' } as never)).toBeUndefined()
})
