const SEGMENT = /^[A-Za-z0-9_-]+$/

/**
 * Decodes base64url in its one canonical form (RFC 4648, section 3.5): no padding, no other characters, and zero bits
 * after the last byte. Other forms would let one token be written in several ways.
 * @returns undefined for any other text, including an empty one
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!SEGMENT.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const reencoded = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return reencoded === text ? Uint8Array.from(binary, letter => letter.charCodeAt(0)) : undefined
}
