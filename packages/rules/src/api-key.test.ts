import { crc32 as zlibCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { base62, crc32, isWellFormed, newSecret, visiblePartsOf } from './api-key.ts'

test('computes CRC-32 as defined in ISO 3309', () => {
  // The standard's check value, and values computed with zlib.
  expect(crc32('123456789')).toBe(0xcbf43926)
  expect(crc32('')).toBe(0)
  expect(crc32('a')).toBe(0xe8b7be43)
  for (const text of ['0'.repeat(32), 'zZ9'.repeat(10), 'The quick brown fox'])
    expect(crc32(text)).toBe(zlibCrc32(text))
})

test('writes base62 with the most significant digit first and leading zeros', () => {
  expect(base62(0, 6)).toBe('000000')
  expect(base62(61, 6)).toBe('00000z')
  expect(base62(62, 6)).toBe('000010')
  // The largest possible CRC-32.
  expect(base62(0xffff_ffff, 6)).toBe('4gfFC3')
})

test('accepts a key whose checksum matches its random part', () => {
  const random = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
  const checksum = base62(zlibCrc32(random), 6)
  expect(isWellFormed(`cv_live_${random}${checksum}`)).toBe(true)
  expect(isWellFormed(`cv_test_${random}${checksum}`)).toBe(true)
})

test.each(['live', 'test'] as const)('creates %s keys in the format that secret scanners recognise', mode => {
  const secrets = Array.from({ length: 50 }, () => newSecret(mode))
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) {
    expect(secret).toMatch(new RegExp(`^cv_${mode}_[0-9A-Za-z]{38}$`))
    expect(isWellFormed(secret)).toBe(true)
    const { prefix, last4 } = visiblePartsOf(secret)
    expect(secret.startsWith(prefix) && secret.endsWith(last4)).toBe(true)
  }
})

test('rejects a key in which any single character was changed', { tags: ['ORGANISATION-24'] }, () => {
  const secret = newSecret('live')
  for (let index = 0; index < secret.length; index++) {
    const replacement = secret[index] === 'x' ? 'y' : 'x'
    expect([index, isWellFormed(secret.slice(0, index) + replacement + secret.slice(index + 1))]).toEqual([
      index,
      false,
    ])
  }
  expect(isWellFormed(`${secret}0`)).toBe(false)
  expect(isWellFormed(secret.slice(0, -1))).toBe(false)
})
