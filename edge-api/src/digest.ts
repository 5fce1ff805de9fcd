import { createHash } from 'node:crypto'

/** Bytes in lowercase hexadecimal. */
export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * SHA-256 of a string (as UTF-8) or of bytes in lowercase hexadecimal; Web Crypto would use a thread for each
 * call.
 */
export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')
