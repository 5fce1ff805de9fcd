import { expect, test } from 'vitest'
import { disputeStatus, gatewayWords, nextDisputeStep, timeLeft } from './disputes.ts'

const now = Date.parse('2026-01-15T12:00:00Z')

test.each([
  ['2026-01-15T15:30:00Z', '3 hours left', true, false],
  ['2026-01-15T16:00:00.001Z', '4 hours left', false, false],
  ['2026-01-18T12:00:00Z', '3 days left', false, false],
  ['2026-01-15T11:30:00Z', 'Deadline passed 30 minutes ago', true, true],
])('describes a deadline at %s as "%s"', (dueAt, words, isShort, isOver) => {
  expect(timeLeft(dueAt, now)).toEqual({ words, isShort, isOver })
})

test('returns undefined if there is no deadline', () => {
  expect(timeLeft(null, now)).toBeUndefined()
})

test('describes the next step of a dispute', () => {
  const open = { state: 'open', answer_pending: false, can_answer: true, source: 'gateway' } as const
  expect(nextDisputeStep(open)).toContain('Contest it')
  expect(nextDisputeStep({ ...open, can_answer: false, source: 'manual' })).toContain(
    'Answer it at the gateway',
  )
  expect(nextDisputeStep({ ...open, answer_pending: true })).toContain('saved')
})

test('shows an answer that the gateway has not confirmed as being sent', () => {
  expect(disputeStatus({ state: 'open', answer_pending: false }).label).toBe('Needs an answer')
  expect(disputeStatus({ state: 'open', answer_pending: true }).label).toBe('Answer being sent')
})

test.each([
  ['UNDER_REVIEW', 'Under review'],
  ['awaiting-merchant-feedback', 'Awaiting merchant feedback'],
  ['fraud', 'Fraud'],
])('shows the gateway code %s as words', (code, words) => {
  expect(gatewayWords(code)).toBe(words)
})
