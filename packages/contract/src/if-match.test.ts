import { expect, test } from 'vitest'
import { etagOf, isExpected, parseIfMatch } from './if-match.ts'

test.each([
  ['*', 'any'],
  [' * ', 'any'],
  ['"1"', [1]],
  ['"1", "2"', [1, 2]],
  ['"1","2" , "30"', [1, 2, 30]],
  ['W/"2"', []],
  ['W/"2", "3"', [3]],
  ['"abc"', []],
  ['"1,2"', []],
  ['"0"', []],
  ['"01"', []],
])('parses %s as %j', { tags: ['REGISTER-4'] }, (header, expected) => {
  expect(parseIfMatch(header)).toEqual(expected)
})

test.each(['', '  ', '2', '"2', '2"', 'w/"2"', '"1" "2"', '*, "1"', ',', "'1'"])(
  'refuses %j as malformed',
  { tags: ['REGISTER-4'] },
  header => {
    expect(parseIfMatch(header)).toBeUndefined()
  },
)

test('allows a change if the header lists the record’s version, accepts any version, or is missing', {
  tags: ['REGISTER-4'],
}, () => {
  expect(etagOf(3)).toBe('"3"')
  expect(isExpected(parseIfMatch(etagOf(3)), 3)).toBe(true)
  expect(isExpected(parseIfMatch(etagOf(3)), 4)).toBe(false)
  expect(isExpected('any', 7)).toBe(true)
  expect(isExpected(undefined, 7)).toBe(true)
  expect(isExpected(parseIfMatch('W/"3"'), 3)).toBe(false)
})
