import { expect, test } from 'vitest'
import { nextRequery, requeryAges } from './schedule.ts'

const walk = (random: () => number) => {
  const ages: number[] = []
  for (let at: number | undefined = 0; at !== undefined && ages.length < 100; ) {
    at = nextRequery(0, at, random())
    if (at !== undefined) ages.push(at)
  }
  return ages
}

test('without jitter the requeries come at the ages of the schedule, to day 7', () => {
  expect(walk(() => 0.5)).toEqual([...requeryAges])
})

test.each([0, 0.25, 0.999])('with jitter of %d each step comes once, within a fifth of its wait', random => {
  const ages = walk(() => random)
  expect(ages).toHaveLength(requeryAges.length)
  ages.forEach((age, position) => {
    const gap = (requeryAges[position] ?? 0) - (requeryAges[position - 1] ?? 0)
    expect(Math.abs(age - (requeryAges[position] ?? 0))).toBeLessThanOrEqual(gap * 0.25)
  })
})

test('a payment that was forgotten for a month is exhausted, not asked for in the past', () => {
  expect(nextRequery(0, 30 * 86_400_000, 0.5)).toBeUndefined()
})
