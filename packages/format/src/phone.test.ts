import { expect, test } from 'vitest'
import { withoutPhonePrefix } from './phone.ts'

test.each([
  ['0803 555 0108', '803 555 0108'],
  ['+234 803 555 0108', '803 555 0108'],
  ['2348035550108', '8035550108'],
  ['+234-0803 555', '803 555'],
  ['ada 07005550104', 'ada 7005550104'],
  ['+44 20 7946 0958', '+44 20 7946 0958'],
  ['+234', '+234'],
  ['080', '080'],
  ['1 0234', '1 0234'],
  ['x0803', 'x0803'],
])('removes the prefix from %j, which leaves %j', (search, expected) => {
  expect(withoutPhonePrefix(search)).toBe(expected)
})
