import { expect, test } from 'vitest'
import * as schedule from './schedule.ts'
import { nextRequery, requeryAges } from './schedule.ts'

const listRequeryAges = (random: () => number) => {
  const ages: number[] = []
  for (let at: number | undefined = 0; at !== undefined && ages.length < 100; ) {
    at = nextRequery(0, at, random())
    if (at !== undefined) ages.push(at)
  }
  return ages
}

test('without jitter, requeries follow the schedule up to day 7', () => {
  expect(listRequeryAges(() => 0.5)).toEqual([...requeryAges])
})

test.each([0, 0.25, 0.999])(
  'with the random number %d, each step happens once, early or late by at most a quarter of the time since the step before it',
  random => {
    const ages = listRequeryAges(() => random)
    expect(ages).toHaveLength(requeryAges.length)
    ages.forEach((age, position) => {
      const gap = (requeryAges[position] ?? 0) - (requeryAges[position - 1] ?? 0)
      expect(Math.abs(age - (requeryAges[position] ?? 0))).toBeLessThanOrEqual(gap * 0.25)
    })
  },
)

test('no requery is scheduled for a payment that is a month old', () => {
  expect(nextRequery(0, 30 * 86_400_000, 0.5)).toBeUndefined()
})

test('the delay until the next requery depends on the age of the payment, and jitter changes this delay by at most a fifth', () => {
  const startedAt = 1_000_000
  const queriedAt = startedAt + 15_000
  expect([0, 0.25, 0.5, 0.75].map(random => nextRequery(startedAt, queriedAt, random))).toEqual([
    queriedAt + 12_000,
    queriedAt + 13_500,
    queriedAt + 15_000,
    queriedAt + 16_500,
  ])
})

test('a step that happened early, by up to three tenths of the time since the step before it, is not repeated', () => {
  // The step at 60 s follows that at 30 s, so it counts as done from 60 s - 0.3 * 30 s = 51 s on.
  expect(nextRequery(0, 50_999, 0.5)).toBe(60_000)
  expect(nextRequery(0, 51_000, 0.5)).toBe(120_000)
})

test('the constants have their agreed values', () => {
  const [second, minute, day] = [1000, 60_000, 86_400_000]
  expect(schedule).toMatchObject({
    OPEN_FOR_MS: 30 * minute,
    START_STALE_AFTER_MS: 2 * minute,
    STATUS_CHECK_GAP_MS: 5 * second,
    GATEWAY_TIMEOUT_MS: 10 * second,
    LEASE_MS: minute,
    REVIEW_UNTIL_MS: 30 * day,
    REVIEW_INTERVAL_MS: day,
  })
  expect(requeryAges.slice(0, 10)).toEqual(
    [0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 360].map(minutes => minutes * minute),
  )
  expect(requeryAges.slice(10)).toEqual([1, 2, 3, 4, 5, 6, 7].map(days => days * day))
})
