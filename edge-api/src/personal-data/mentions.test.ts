import { expect, test } from 'vitest'
import { mentionsAddress } from './mentions.ts'

const ADDRESS = 'ada@users.test'

test.each([
  'ada@users.test',
  'Ada@Users.test: role',
  'from ada@users.test.',
  '<ada@users.test>',
  'x;ada@users.test',
])('%j contains the address', text => expect(mentionsAddress(text, ADDRESS)).toBe(true))

test.each([
  '',
  'bada@users.test',
  'x.ada@users.test',
  'ada@users.test.ng',
  'ada@users.tests',
  'ada+1@users.test',
  'ada@users.test-x',
])('%j contains only another address, or none', text => expect(mentionsAddress(text, ADDRESS)).toBe(false))

test('a text that contains the address and another one contains the address', () => {
  expect(mentionsAddress('bada@users.test, ada@users.test', ADDRESS)).toBe(true)
})
