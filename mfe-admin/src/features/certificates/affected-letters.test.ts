import { expect, test } from 'vitest'
import { describeDeletion, describeEdit } from './affected-letters.ts'

test('shows how many letters a deletion withdraws', {
  tags: ['LETTER-3'],
}, () => {
  expect(describeDeletion({})).toBe(
    'People will no longer be able to verify it, and letters issued for it will be withdrawn.',
  )
  expect(describeDeletion({ letters: 0 })).toBe(
    'People will no longer be able to verify it. It has no valid letters.',
  )
  expect(describeDeletion({ letters: 1 })).toContain(
    '1 letter issued for it will be withdrawn, and the letter holder will be notified',
  )
  expect(describeDeletion({ letters: 3 })).toContain(
    '3 letters issued for it will be withdrawn, and the letter holders will be notified',
  )
})

test('shows how many letters an edit supersedes, or nothing if there are none', () => {
  expect(describeEdit({})).toBe('')
  expect(describeEdit({ letters: 0 })).toBe('')
  expect(describeEdit({ letters: 1 })).toContain('makes it out of date, and the letter holder is notified')
  expect(describeEdit({ letters: 2 })).toContain('2 letters were issued for this certificate.')
})
