import { describe, expect, test } from 'vitest'
import { buildOtpauthUrl, findTimeStep, hashRecoveryCode, newRecoveryCodes, newSecret } from './totp.ts'

/** The secret of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const SECOND = 1000

describe('a code from an app', () => {
  // The codes are the last six of the RFC's eight digits.
  test.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('is the one in the RFC at %d s', (seconds, code, step) => {
    expect(findTimeStep(SECRET, code, seconds * SECOND)).toBe(step)
  })

  test('is accepted up to one period early or late, and is attributed to its own period', () => {
    const [code, step] = ['050471', 37_037_037]
    const start = step * 30
    for (const seconds of [start - 30, start - 1, start, start + 29, start + 30, start + 59])
      expect(findTimeStep(SECRET, code, seconds * SECOND)).toBe(step)
    for (const seconds of [start - 31, start + 60])
      expect(findTimeStep(SECRET, code, seconds * SECOND)).toBeUndefined()
  })

  test('does not match another secret, and is not accepted if it is off by one', () => {
    expect(findTimeStep(newSecret(), '050471', 1_111_111_111 * SECOND)).toBeUndefined()
    expect(findTimeStep(SECRET, '050472', 1_111_111_111 * SECOND)).toBeUndefined()
  })
})

test('a new secret has 160 random bits, as apps expect', () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(newSecret())
  const url = new URL(buildOtpauthUrl(SECRET, { issuer: 'Adeola College', email: 'a@b.test' }))
  expect(url.protocol).toBe('otpauth:')
  expect(url.host + decodeURIComponent(url.pathname)).toBe('totp/Adeola College:a@b.test')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Adeola College',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

describe('recovery codes', () => {
  test('are generated as ten codes of 120 random bits each, in groups of four characters', () => {
    const codes = newRecoveryCodes()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  test('are stored as the SHA-256 hash of their normalised form', async () => {
    // Computed with: printf 0110ABCD | sha256sum
    const hash = await hashRecoveryCode('0110-ABCD')
    expect(hash).toBe('47cc1edf209f702d237ae7f686552fd193f6783281b290bbf83de85c1918be4b')
    for (const written of ['0110 abcd', 'OIlo-abcd', ' 0lI0.ABCD ', 'O110ABCD'])
      expect(await hashRecoveryCode(written)).toBe(hash)
    expect(await hashRecoveryCode('0110-ABCE')).not.toBe(hash)
    // This hash begins with a byte below 0x10, whose leading zero must be kept.
    expect(await hashRecoveryCode('1038')).toBe(
      '0c1c43111448b131d65b3b380041de26f2edd6264ee1c371184f54d26ab53365',
    )
  })
})
