import { expect, test } from 'vitest'
import { correctionNote, deletionNote } from './affected-letters.ts'

test('shows how many letters a deletion withdraws', {
  tags: ['LETTER-3'],
}, () => {
  expect(deletionNote({})).toBe('It can no longer be verified, and letters issued for it are withdrawn.')
  expect(deletionNote({ letters: 0 })).toBe(
    'It can no longer be verified. It has no valid letter; any earlier ones are withdrawn.',
  )
  expect(deletionNote({ letters: 1 })).toContain(
    '1 letter issued for it is withdrawn: the letter holder is notified',
  )
  expect(deletionNote({ letters: 3 })).toContain(
    '3 letters issued for it are withdrawn: the letter holders are notified',
  )
})

test('shows how many letters an edit supersedes, or nothing without letters', () => {
  expect(correctionNote({})).toBe('')
  expect(correctionNote({ letters: 0 })).toBe('')
  expect(correctionNote({ letters: 1 })).toContain('makes it out of date, and the letter holder is notified')
  expect(correctionNote({ letters: 2 })).toContain('2 letters were issued for this certificate.')
})
