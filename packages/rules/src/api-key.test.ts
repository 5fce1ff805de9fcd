import { crc32 as zlibCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { base62, crc32, isWellFormed, newSecret, shownOf } from './api-key.ts'

test('the checksum is CRC-32 of ISO 3309', () => {
  // The check value of the standard, and other values computed with zlib.
  expect(crc32('123456789')).toBe(0xcbf43926)
  expect(crc32('')).toBe(0)
  expect(crc32('a')).toBe(0xe8b7be43)
  for (const text of ['0'.repeat(32), 'zZ9'.repeat(10), 'The quick brown fox'])
    expect(crc32(text)).toBe(zlibCrc32(text))
})

test('base62 has its most significant digit first, and leading zeros', () => {
  expect(base62(0, 6)).toBe('000000')
  expect(base62(61, 6)).toBe('00000z')
  expect(base62(62, 6)).toBe('000010')
  // The largest CRC-32.
  expect(base62(0xffff_ffff, 6)).toBe('4gfFC3')
})

test('a known key: its checksum is that of its random part', () => {
  const random = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
  const checksum = base62(zlibCrc32(random), 6)
  expect(isWellFormed(`cv_live_${random}${checksum}`)).toBe(true)
  expect(isWellFormed(`cv_test_${random}${checksum}`)).toBe(true)
})

test.each(['live', 'test'] as const)('a new %s key has the format that secret scanners know', mode => {
  const made = Array.from({ length: 50 }, () => newSecret(mode))
  expect(new Set(made).size).toBe(50)
  for (const secret of made) {
    expect(secret).toMatch(new RegExp(`^cv_${mode}_[0-9A-Za-z]{38}$`))
    expect(isWellFormed(secret)).toBe(true)
    const { prefix, last4 } = shownOf(secret)
    expect(secret.startsWith(prefix) && secret.endsWith(last4)).toBe(true)
  }
})

test('detects a change of any one character', { tags: ['ORGANISATION-24'] }, () => {
  const secret = newSecret('live')
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'x' ? 'y' : 'x'
    expect([at, isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1))]).toEqual([at, false])
  }
  expect(isWellFormed(`${secret}0`)).toBe(false)
  expect(isWellFormed(secret.slice(0, -1))).toBe(false)
})
