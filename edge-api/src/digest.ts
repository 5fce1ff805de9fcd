import { createHash } from 'node:crypto'

/** Encodes bytes in lowercase hexadecimal. */
export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the SHA-256 hash of a string (as UTF-8) or of bytes, in lowercase hexadecimal. Does not use Web Crypto, which would
 * need a thread for each call.
 */
export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')
