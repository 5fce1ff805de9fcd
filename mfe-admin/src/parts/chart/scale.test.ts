import { expect, it } from 'vitest'
import { axisTop } from './scale.ts'

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [5, 6],
  [10, 10],
  [11, 20],
  [41, 60],
  [99, 100],
  [12_500, 20_000],
])('for the highest value %d, ends the axis at %d', (value, top) => {
  expect(axisTop(value)).toBe(top)
})

it('ends every axis at an even number, so that the middle of the axis is a whole number', () => {
  for (let value = 0; value < 5000; value++) {
    const top = axisTop(value)
    expect(top).toBeGreaterThanOrEqual(value)
    expect(top % 2).toBe(0)
  }
})
