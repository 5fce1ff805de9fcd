import { expect, test } from 'vitest'
import { LOCALE } from './locale.ts'
import { formatCount, formatFixedPercent, formatPercent, percentOf } from './numbers.ts'

test('groups counts, and shows percentages with at most one decimal', () => {
  expect(formatCount(1234567)).toBe('1,234,567')
  expect(formatPercent(87.54)).toBe('87.5%')
  expect(formatPercent(100)).toBe('100%')
})

test('shows percentages that are compared with each other with exactly one decimal', () => {
  expect([84.21, 4, 0, 100, -0.01, 1234.56].map(formatFixedPercent)).toEqual([
    '84.2%',
    '4.0%',
    '0.0%',
    '100.0%',
    '0.0%',
    '1,234.6%',
  ])
})

test('formats numbers of any length as Intl does', () => {
  const whole = new Intl.NumberFormat(LOCALE)
  const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })
  for (const figure of [0, 7, 12, 999, 1000, 12345, 999_999, 1_000_000, 9_007_199_254_740_991, -5, -1234]) {
    expect(formatCount(figure)).toBe(whole.format(figure))
    expect(formatPercent(figure)).toBe(`${whole.format(figure)}%`)
  }
  for (const figure of [0.1, 12.34, 99.96, 1234.56, -3.21]) {
    expect(formatPercent(figure)).toBe(`${decimal.format(figure)}%`)
  }
  expect(formatPercent(-0.01)).toBe('0%')
})

test('calculates a percentage to one decimal, and 0 if the total is 0', {
  tags: ['SPEC-9.11'],
}, () => {
  expect(percentOf(0, 0)).toBe(0)
  expect(percentOf(5, 0)).toBe(0)
  expect(percentOf(1, 3)).toBe(33.3)
  expect(percentOf(2, 3)).toBe(66.7)
  expect(percentOf(3, 3)).toBe(100)
})
