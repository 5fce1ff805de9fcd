import type { HeldLetter } from '@portal/contract/letter'
import { expect, test } from 'vitest'
import { checksInWords, meaningOf } from './letter-words.ts'

const makeLetter = (checks: number): HeldLetter => ({
  code: 'ABCDEFGHJKMN',
  url: '',
  pdf_url: '',
  credential_url: '',
  open_badge_url: '',
  status: 'valid',
  checks,
  last_checked_at: checks === 0 ? null : '2026-01-31T12:00:00.000Z',
})

test.each([
  [0, ''],
  [1, 'Checked once, last on Jan 31, 2026.'],
  [2, 'Checked twice, last on Jan 31, 2026.'],
  [1234, 'Checked 1,234 times, last on Jan 31, 2026.'],
])('describes %i checks', (checks, words) => expect(checksInWords(makeLetter(checks))).toBe(words))

test('explains only the statuses of letters that are no longer valid', () => {
  expect(meaningOf({ status: 'valid' })).toBe('')
  expect(meaningOf({ status: 'withdrawn' })).toMatch(/withdrawn/)
  expect(meaningOf({ status: 'superseded' })).toMatch(/corrected/)
})
