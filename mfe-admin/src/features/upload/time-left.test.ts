import { expect, it } from 'vitest'
import { formatSize, timeLeft } from './time-left.ts'

it('says how long is left once there is something to go by', () => {
  expect(timeLeft(250, 1000, 5000)).toBe('15s left')
  expect([timeLeft(0, 1000, 5000), timeLeft(1000, 1000, 5000), timeLeft(10, 1000, 200)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('says how large a file is', () => {
  expect([formatSize(85), formatSize(1500), formatSize(118_400_000)]).toEqual([
    '85 bytes',
    '1.5 kB',
    '118.4 MB',
  ])
})
