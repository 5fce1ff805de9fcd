import { expect, test } from 'vitest'
import { correctionNote, deletionNote } from './affected-letters.ts'

test('shows how many letters a deletion withdraws', {
  tags: ['LETTER-3'],
}, () => {
  expect(deletionNote({})).toBe(
    'People will no longer be able to verify it, and letters issued for it will be withdrawn.',
  )
  expect(deletionNote({ letters: 0 })).toBe(
    'People will no longer be able to verify it. It has no valid letters.',
  )
  expect(deletionNote({ letters: 1 })).toContain(
    '1 letter issued for it will be withdrawn, and the letter holder will be notified',
  )
  expect(deletionNote({ letters: 3 })).toContain(
    '3 letters issued for it will be withdrawn, and the letter holders will be notified',
  )
})

test('shows how many letters an edit supersedes, or nothing if there are none', () => {
  expect(correctionNote({})).toBe('')
  expect(correctionNote({ letters: 0 })).toBe('')
  expect(correctionNote({ letters: 1 })).toContain('makes it out of date, and the letter holder is notified')
  expect(correctionNote({ letters: 2 })).toContain('2 letters were issued for this certificate.')
})
