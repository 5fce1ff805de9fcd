import * as z from 'zod'

/** A private key for signing letters, as it was given: ECDSA on P-256. */
export type LetterKeySource =
  | { jwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string } }
  | { pkcs8: Uint8Array<ArrayBuffer> }

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const privateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: coordinate,
})

const PEM = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/g

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), letter => letter.charCodeAt(0))
  // A PKCS #8 structure is a sequence; a P-256 key takes 67 bytes at least.
  if (bytes[0] !== 0x30 || bytes.length < 67 || bytes.length > 300) throw new Error('not PKCS #8')
  return bytes
}

/**
 * Reads `LETTER_SIGNING_KEY`: one or several private keys, the first of which signs, separated by commas: JWK as JSON,
 * PKCS #8 as PEM (line breaks may be written `\n`) or as base64.
 * @throws Error when one of them is none
 */
export function readLetterKeys(text: string): LetterKeySource[] {
  const trimmed = text.trim()
  // A JWK has commas of its own.
  if (trimmed.startsWith('{')) {
    const parsed: unknown = JSON.parse(`[${trimmed}]`)
    return z
      .array(privateJwk)
      .min(1)
      .parse(parsed)
      .map(jwk => ({ jwk }))
  }
  const pem = trimmed.replaceAll('\\n', '\n')
  const parts = pem.startsWith('-----')
    ? [...pem.matchAll(PEM)].map(([, body = '']) => body)
    : pem.split(',').filter(part => part.trim() !== '')
  if (parts.length === 0) throw new Error('no key')
  return parts.map(part => ({ pkcs8: fromBase64(part) }))
}
