import { expect, test } from 'vitest'
import { delayAfter, parseRetryAfter } from './schedule.ts'

const SECOND = 1000
const HOUR = 3_600_000
const scheduledDelays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  seconds => seconds * SECOND,
)

test('retries nine times, with each delay within 20 percent of the schedule', () => {
  expect(scheduledDelays.map((_, index) => delayAfter(index + 1, 0.5))).toEqual(scheduledDelays)
  expect(scheduledDelays.map((_, index) => delayAfter(index + 1, 0))).toEqual(
    scheduledDelays.map(item => item * 0.8),
  )
  for (const [index, delay] of scheduledDelays.entries())
    expect(delayAfter(index + 1, 0.999_999)).toBeLessThanOrEqual(delay * 1.2)
  expect(delayAfter(10, 0.5)).toBeUndefined()
})

test('Retry-After lengthens a delay, up to 24 hours, and never shortens it', () => {
  expect(delayAfter(1, 0.5, 60 * SECOND)).toBe(60 * SECOND)
  expect(delayAfter(1, 0.5, 900 * HOUR)).toBe(24 * HOUR)
  expect(delayAfter(4, 0.5, SECOND)).toBe(2 * HOUR)
  expect(delayAfter(10, 0.5, SECOND)).toBeUndefined()
})

test('reads Retry-After as seconds and as a date', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  expect(parseRetryAfter('120', now)).toBe(120 * SECOND)
  expect(parseRetryAfter('Thu, 15 Jan 2026 13:00:00 GMT', now)).toBe(HOUR)
  for (const value of [undefined, '', 'soon', '-5', '1e9999', 'Thu, 15 Jan 2026 11:00:00 GMT'])
    expect(parseRetryAfter(value, now)).toBe(0)
})
