import { hexOf } from '../digest.ts'

/**
 * True if `hex` is the HMAC of `bytes`. WebCrypto compares in constant time.
 * @param hex lowercase hexadecimal; other spellings of the same bytes are refused
 */
export async function isHmac(
  hash: 'SHA-256' | 'SHA-512',
  secret: string,
  bytes: Uint8Array<ArrayBuffer>,
  hex: string,
): Promise<boolean> {
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) return false
  const algorithm = { name: 'HMAC', hash }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  const signature = Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', key, signature, bytes)
}

/** Returns the HMAC of a string (as UTF-8) in lowercase hexadecimal. */
export async function hmacHex(hash: 'SHA-256' | 'SHA-512', secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  return hexOf(await crypto.subtle.sign('HMAC', key, utf8(text)))
}

/** Returns the digest of a string (as UTF-8) or of bytes, in lowercase hexadecimal. */
export async function digestHex(
  hash: 'SHA-256' | 'SHA-512',
  data: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  return hexOf(await crypto.subtle.digest(hash, typeof data === 'string' ? utf8(data) : data))
}

const utf8 = (text: string) => new TextEncoder().encode(text)
