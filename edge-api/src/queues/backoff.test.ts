import { expect, test } from 'vitest'
import { backoff, MAX_WAIT_MS } from './backoff.ts'

test('the delay doubles from a minute up to six hours, and jitter only shortens it', () => {
  expect([1, 2, 3, 4].map(attempts => backoff(attempts, 0))).toEqual([60_000, 120_000, 240_000, 480_000])
  for (const attempts of [10, 100, 100_000]) expect(backoff(attempts, 0)).toBe(MAX_WAIT_MS)
  expect(backoff(1, 0.999)).toBeGreaterThanOrEqual(48_000)
  expect(backoff(1, 0.999)).toBeLessThan(60_000)
})
