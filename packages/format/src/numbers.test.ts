import { expect, test } from 'vitest'
import { formatCount, formatPercent, growthPercent } from './numbers.ts'

test('counts are grouped and percentages have one decimal at most', () => {
  expect(formatCount(1234567)).toBe('1,234,567')
  expect(formatPercent(87.54)).toBe('87.5%')
  expect(formatPercent(100)).toBe('100%')
})

test('growth is recent of total', () => {
  expect(growthPercent(1, 3)).toBe(33.3)
  expect(growthPercent(5, 0)).toBe(0)
})
