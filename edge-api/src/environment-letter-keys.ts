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

const PEM = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/
const KEY = /\{[^{}]*\}|-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----|[^\s,{}-][^,{}-]*/g

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), letter => letter.charCodeAt(0))
  // A PKCS #8 structure is a sequence; a P-256 key takes 67 bytes at least.
  if (bytes[0] !== 0x30 || bytes.length < 67 || bytes.length > 300) throw new Error('not PKCS #8')
  return bytes
}

/** One key as it was given. @throws Error when it is none */
export function readLetterKey(text: string): LetterKeySource {
  if (text.startsWith('{')) return { jwk: privateJwk.parse(JSON.parse(text)) }
  return { pkcs8: fromBase64(PEM.exec(text)?.[1] ?? text) }
}

/**
 * Cuts `LETTER_SIGNING_KEY` into its keys, the first of which signs, separated by commas: JWK as JSON, PKCS #8 as PEM (line
 * breaks may be written `\n`) or as base64.
 * @throws Error when something between them is none
 */
export function splitLetterKeys(text: string): string[] {
  const plain = text.replaceAll('\\n', '\n')
  if (plain.replace(KEY, '').replace(/[\s,]/g, '') !== '') throw new Error('not a key')
  return (plain.match(KEY) ?? []).map(key => key.trim())
}

/** The keys of `LETTER_SIGNING_KEY`. @throws Error when one of them is none, or there is none */
export function readLetterKeys(text: string): LetterKeySource[] {
  const keys = splitLetterKeys(text).map(readLetterKey)
  if (keys.length === 0) throw new Error('no key')
  return keys
}
