import { expect, test } from 'vitest'
import { plainMessage } from './plain-message.ts'
import { countQuery } from './shapes.ts'

const parseCount = (value: unknown) => {
  const { data, error } = countQuery(100, 20).safeParse(value, { error: plainMessage })
  return error?.issues[0]?.message ?? data
}

test('accepts a number in decimal digits, and uses the default if it is missing or empty', () => {
  for (const [value, number] of [
    ['1', 1],
    ['07', 7],
    ['100', 100],
    ['', 20],
    [undefined, 20],
  ])
    expect(parseCount(value), String(value)).toBe(number)
})

test('rejects signs, spaces, separators and notations such as 0x10 or 1e1', () => {
  for (const value of ['0x10', '1e1', '+1', ' 1', '1 ', '1_0', 'Infinity', '١', 'true', ['1', '2'], ['1']])
    expect(parseCount(value), String(value)).toBe('Please give a number.')
})

test('explains why a number is out of range or not whole', () => {
  expect(parseCount('0')).toBe('At least 1, please.')
  expect(parseCount('-1')).toBe('At least 1, please.')
  expect(parseCount('101')).toBe('At most 100, please.')
  expect(parseCount('1.5')).toBe('Please give a whole number.')
})
