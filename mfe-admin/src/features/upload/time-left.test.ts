import { expect, it } from 'vitest'
import { timeLeft } from './time-left.ts'

it('estimates the time left after the first second', () => {
  expect(timeLeft(250, 1000, 5000)).toBe('15s left')
  expect([timeLeft(0, 1000, 5000), timeLeft(1000, 1000, 5000), timeLeft(10, 1000, 200)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
