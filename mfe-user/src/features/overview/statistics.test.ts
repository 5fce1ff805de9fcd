import { expect, test } from 'vitest'
import { averageSpent, type Statistics, statisticsSentence } from './statistics.ts'

const statistics = (changes: Partial<Statistics>): Statistics => ({
  total_verifications: 3,
  successful_verifications: 3,
  failed_verifications: 0,
  success_rate: 100,
  total_amount_spent: 15_000,
  ...changes,
})

test('the average is the total spent divided by all verifications, to the kobo', {
  tags: ['SPEC-3.9', 'SPEC-9.11'],
}, () => {
  expect(averageSpent(statistics({}))).toBe(5000)
  expect(averageSpent(statistics({ total_amount_spent: 10_000 }))).toBe(3333.33)
  expect(averageSpent(statistics({ total_verifications: 0, total_amount_spent: 0 }))).toBeNull()
})

test('the sentence counts numbers that were not found, and never calls their certificates fake', {
  tags: ['USABILITY-13', 'SPEC-2.28'],
}, () => {
  expect(statisticsSentence(statistics({}))).toBe('All 3 certificates were found.')
  expect(statisticsSentence(statistics({ total_verifications: 1 }))).toBe('The certificate was found.')
  expect(statisticsSentence(statistics({ failed_verifications: 1 }))).toMatch(
    /^1 certificate was not in the register/,
  )
  expect(statisticsSentence(statistics({ failed_verifications: 2 }))).toMatch(
    /^2 certificates were not in the register/,
  )
})

test('nothing is derived from missing figures if the API sends only the total and the rate', () => {
  const fewVerifications: Statistics = { total_verifications: 4, success_rate: 75 }
  expect(averageSpent(fewVerifications)).toBeNull()
  expect(statisticsSentence(fewVerifications)).toBe('')
})
