import type { KeyMode } from '@portal/contract/organisation-shapes'

/*
 * Format of an API key: `cv_live_` or `cv_test_`, 32 random base62 characters (190 bits), and their CRC-32 as 6 base62 digits,
 * most significant first. Secret scanners recognise it, and mistyped keys are rejected without a database query.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORMAT = /^cv_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** Returns the CRC-32 (ISO 3309, as in ZIP and PNG) of an ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

/** Formats a number in base62 with leading zeros. */
export function base62(value: number, length: number): string {
  let digits = ''
  for (let remaining = value; digits.length < length; remaining = Math.floor(remaining / 62))
    digits = BASE62.charAt(remaining % 62) + digits
  return digits
}

const checksumOf = (random: string) => base62(crc32(random), CHECKSUM_LENGTH)

/** Returns random base62 characters, all with the same probability. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length)
    // Use only bytes below 248, the largest multiple of 62 that fits; otherwise, some characters would be more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62)
  return text
}

/** Generates the secret of a new API key. */
export function newSecret(mode: KeyMode): string {
  const random = randomBase62(RANDOM_LENGTH)
  return `cv_${mode}_${random}${checksumOf(random)}`
}

/** True if a string has the format of an API key and a correct checksum. */
export function isWellFormed(secret: string): boolean {
  const [, , random = '', checksum] = FORMAT.exec(secret) ?? []
  return checksum !== undefined && checksumOf(random) === checksum
}

/** Returns the parts of a secret that screens show: its beginning, and its last four characters. */
export const visiblePartsOf = (secret: string) => ({ prefix: secret.slice(0, 12), last4: secret.slice(-4) })
