import { expect, test } from 'vitest'
import { formatMinor, formatMoney, formatMoneyOrNone, toMajor, toMinor } from './money.ts'

test.each([
  [5000, 'NGN', '₦5,000.00'],
  [1234567.5, 'USD', '$1,234,567.50'],
  [0.1, 'EUR', '€0.10'],
  [99.99, 'GBP', '£99.99'],
  [0, 'NGN', '₦0.00'],
  [-12.5, 'NGN', '−₦12.50'],
  [-0.001, 'NGN', '₦0.00'],
  [7, 'XOF', 'XOF 7.00'],
])('formatMoney(%d, %s) is %s', { tags: ['SPEC-9.7'] }, (major, currency, text) => {
  expect(formatMoney(major, currency)).toBe(text)
})

test('formats an unknown amount as N/A, and zero as an amount', { tags: ['SPEC-2.19'] }, () => {
  expect(formatMoneyOrNone(null)).toBe('N/A')
  expect(formatMoneyOrNone(undefined)).toBe('N/A')
  expect(formatMoneyOrNone(0)).toBe('₦0.00')
})

test('formats minor units', () => {
  expect(formatMinor(500010)).toBe('₦5,000.10')
})

test('converts every number of kobo to major units and back without loss', () => {
  for (let minor = 0; minor < 200_000; minor++) expect(toMinor(toMajor(minor))).toBe(minor)
  for (const minor of [-1, 99_999_999_999_99]) expect(toMinor(toMajor(minor))).toBe(minor)
})

test('throws for amounts that are not an exact whole number of kobo', () => {
  for (const major of [0.001, 1.005, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) {
    expect(() => toMinor(major)).toThrow(RangeError)
  }
  expect(() => toMajor(1.5)).toThrow(RangeError)
  expect(() => toMajor(2 ** 53)).toThrow(RangeError)
})
