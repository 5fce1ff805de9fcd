/**
 * True when `hex` is the HMAC of `bytes`: over the raw bytes, compared in constant time by WebCrypto itself.
 * @param hex lower-case hexadecimal
 */
export async function isHmac(
  hash: 'SHA-256' | 'SHA-512',
  secret: string,
  bytes: Uint8Array<ArrayBuffer>,
  hex: string,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  const signature = Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', key, signature, bytes)
}
