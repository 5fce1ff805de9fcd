import { expect, test } from 'vitest'
import { adviceFor, commentsIn, countPhrases, titlesIn } from './words.mjs'

/* The discouraged words are put together here, so that the check of this repository does not list its own examples. */
const OTHER_DISCOURAGED_WORD = ['who', 'ever'].join('')
const DISCOURAGED_WORD = ['be', 'side'].join('')

test('names a discouraged word and its replacement', () => {
  expect(adviceFor(`${OTHER_DISCOURAGED_WORD} asks for a letter`)).toEqual([
    `"${OTHER_DISCOURAGED_WORD}": anyone who`,
  ])
  expect(adviceFor('anyone who asks for a letter')).toEqual([])
})

test('finds whole words only, in any case', () => {
  expect(
    countPhrases(`${DISCOURAGED_WORD} and ${DISCOURAGED_WORD.toUpperCase()}, ${DISCOURAGED_WORD}s`),
  ).toBe(2)
})

test('allows a question that begins with "what is"', () => {
  expect(adviceFor('What is a verification?')).toEqual([])
})

test('reads comments, not code or addresses', () => {
  const code = `const a = 'https://example.test/x' // one
/* two
 * three */
const nobody = 1 /** four */`
  const prose = commentsIn(code)
  for (const word of ['one', 'two', 'three', 'four']) expect(prose).toContain(word)
  for (const word of ['example', 'nobody', 'const']) expect(prose).not.toContain(word)
})

test('reads the titles of tests and groups', () => {
  const code = `describe('a group', () => {
  test('one', () => {})
  test.each([1, 2])("two %s", { timeout: 1 }, () => {})
  expect('three')
})`
  expect(titlesIn(code).split('\n')).toEqual(['a group', 'one', 'two %s'])
})
