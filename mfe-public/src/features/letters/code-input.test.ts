import { expect, test } from 'vitest'
import { parseLetterCode } from './code-input.ts'

test.each([
  ['ABCD-EFGH-JKMN', 'ABCDEFGHJKMN'],
  [' abcd efgh jkmn ', 'ABCDEFGHJKMN'],
  ['http://localhost:8080/letters/ABCDEFGHJKMN', 'ABCDEFGHJKMN'],
  ['registry.example/letters/abcd-efgh-jkmn?x=1', 'ABCDEFGHJKMN'],
])('reads the code that a person has typed or pasted as %j', (text, code) => {
  expect(parseLetterCode(text)).toEqual({ code })
})

test.each([
  ['', 'Please enter the code printed on the letter.'],
  [' - ', 'Please enter the code printed on the letter.'],
  ['ABCD-EFGH', 'A letter code has 12 characters; this one has 8 characters.'],
  ['A', 'A letter code has 12 characters; this one has 1 character.'],
])('explains why %j is not a code', (text, problem) => {
  expect(parseLetterCode(text).problem).toBe(problem)
})
