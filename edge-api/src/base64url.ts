const BASE64URL = /^[A-Za-z0-9_-]+$/

/**
 * Decodes base64url, and only in its canonical form (RFC 4648, section 3.5): no padding, no other characters, and unused
 * bits that are zero. Otherwise the same token could be written in several ways.
 * @returns undefined for any other text, including an empty one
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!BASE64URL.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const reencoded = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return reencoded === text ? Uint8Array.from(binary, character => character.charCodeAt(0)) : undefined
}
