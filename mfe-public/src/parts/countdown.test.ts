import { describe, expect, it } from 'vitest'
import { computeSecondsLeft } from './countdown.ts'

describe('computeSecondsLeft', () => {
  it('starts at the full count and rounds up, so that 1 is shown during the whole last second', {
    tags: ['SPEC-2.41'],
  }, () => {
    expect(computeSecondsLeft(5_000, 0)).toBe(5)
    expect(computeSecondsLeft(5_000, 200)).toBe(5)
    expect(computeSecondsLeft(5_000, 1_000)).toBe(4)
    expect(computeSecondsLeft(5_000, 4_999)).toBe(1)
  })
  it('ends at 0 and stays there, even if the tab was suspended past the deadline', () => {
    expect(computeSecondsLeft(5_000, 5_000)).toBe(0)
    expect(computeSecondsLeft(5_000, 90_000)).toBe(0)
  })
})
