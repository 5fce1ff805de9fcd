import { expect, test } from 'vitest'
import { acceptedEncodings } from './accept-encoding.ts'

test.each([
  [null, []],
  ['', []],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['gzip', ['gzip']],
  ['br;q=0', []],
  ['br;q=0, gzip', ['gzip']],
  ['br; q=0.0, *', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', []],
  ['gzip;q=1, br;q=0.5', ['gzip', 'br']],
  ['GZIP;Q=0.8', ['gzip']],
  ['identity', []],
  ['identity;q=0.5, gzip;q=1, *;q=0', ['gzip']],
  ['identity, br;q=0.5', []],
  ['identity;q=0', []],
  // These names contain the name of a supported encoding.
  ['bray, x-gzip', []],
])('Accept-Encoding %s accepts %j', (header, expected) => {
  expect(acceptedEncodings(header)).toEqual(expected)
})
