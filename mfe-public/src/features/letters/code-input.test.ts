import { expect, test } from 'vitest'
import { parseLetterCode } from './code-input.ts'

test.each([
  ['ABCD-EFGH-JKMN', 'ABCDEFGHJKMN'],
  [' abcd efgh jkmn ', 'ABCDEFGHJKMN'],
  ['http://localhost:8080/letters/ABCDEFGHJKMN', 'ABCDEFGHJKMN'],
  ['registry.example/letters/abcd-efgh-jkmn?x=1', 'ABCDEFGHJKMN'],
])('reads the code in %s, because people write codes like this', (text, code) => {
  expect(parseLetterCode(text)).toEqual({ code })
})

test.each([
  ['', 'Please enter the code printed on the letter.'],
  [' - ', 'Please enter the code printed on the letter.'],
  ['ABCD-EFGH', 'A letter code has 12 characters; this one has 8 characters.'],
  ['A', 'A letter code has 12 characters; this one has 1 character.'],
])('reports what is missing in %j', (text, problem) => {
  expect(parseLetterCode(text).problem).toBe(problem)
})
