import { expect, test } from 'vitest'
import { averageSpent, type Statistics, statisticsSentence } from './statistics.ts'

const makeStatistics = (changes: Partial<Statistics>): Statistics => ({
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
  expect(averageSpent(makeStatistics({}))).toBe(5000)
  expect(averageSpent(makeStatistics({ total_amount_spent: 10_000 }))).toBe(3333.33)
  expect(averageSpent(makeStatistics({ total_verifications: 0, total_amount_spent: 0 }))).toBeNull()
})

test('counts the certificates that were not in the register, and never calls them fake', {
  tags: ['USABILITY-13', 'SPEC-2.28'],
}, () => {
  expect(statisticsSentence(makeStatistics({}))).toBe('All 3 certificates were found.')
  expect(statisticsSentence(makeStatistics({ total_verifications: 1 }))).toBe('The certificate was found.')
  expect(statisticsSentence(makeStatistics({ failed_verifications: 1 }))).toMatch(
    /^1 certificate was not in the register/,
  )
  expect(statisticsSentence(makeStatistics({ failed_verifications: 2 }))).toMatch(
    /^2 certificates were not in the register/,
  )
})

test('returns neither an average nor a sentence if the API sends only the total and the success rate', () => {
  const partialStatistics: Statistics = { total_verifications: 4, success_rate: 75 }
  expect(averageSpent(partialStatistics)).toBeNull()
  expect(statisticsSentence(partialStatistics)).toBe('')
})
