import * as z from 'zod'

/** A private key for signing letters, as configured: ECDSA on P-256. */
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

const PEM = /-----BEGIN (?:EC )?PRIVATE KEY-----([\s\S]*?)-----END (?:EC )?PRIVATE KEY-----/
const KEY =
  /\{[^{}]*\}|-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]*?-----END (?:EC )?PRIVATE KEY-----|[^\s,{}-][^,{}-]*/g

/** P-256 by its name, in DER. */
const P256 = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
/** The part of PKCS #8 after its length: version 0, an elliptic curve key, on P-256. */
const PKCS8 = [0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, ...P256]
/** The part of SEC 1 after its length: version 1, and 32 bytes of private key, followed by the curve's name. */
const SEC1 = [0x02, 0x01, 0x01, 0x04, 0x20]
const SEC1_CURVE = [0xa0, 0x0a, ...P256]

const hasBytes = (bytes: Uint8Array, at: number, part: readonly number[]) =>
  part.every((byte, offset) => bytes[at + offset] === byte)

/** A DER value of up to 255 bytes after its tag and length. */
const der = (tag: number, content: readonly number[]) =>
  content.length < 128 ? [tag, content.length, ...content] : [tag, 0x81, content.length, ...content]

/** `openssl genpkey -outform DER` writes SEC 1, which cannot be imported directly: it is wrapped in PKCS #8. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), letter => letter.charCodeAt(0))
  // A sequence, with its length in one byte or two.
  const from = bytes[1] === 0x81 ? 3 : 2
  if (bytes[0] === 0x30 && bytes[from - 1] === bytes.length - from) {
    if (hasBytes(bytes, from, PKCS8)) return bytes
    const curve = from + SEC1.length + 32
    if (hasBytes(bytes, from, SEC1) && hasBytes(bytes, curve, SEC1_CURVE)) {
      const rest = bytes.subarray(curve + SEC1_CURVE.length)
      const key = der(0x30, [...bytes.subarray(from, curve), ...rest])
      return Uint8Array.from(der(0x30, [...PKCS8, ...der(0x04, key)]))
    }
  }
  throw new Error('not a private P-256 key')
}

/** One key as configured. @throws Error if it is not a key */
export function readLetterKey(text: string): LetterKeySource {
  if (text.startsWith('{')) return { jwk: privateJwk.parse(JSON.parse(text)) }
  return { pkcs8: fromBase64(PEM.exec(text)?.[1] ?? text) }
}

/**
 * Splits `LETTER_SIGNING_KEY` into its keys, separated by commas, the first of which signs: JWK as JSON, PKCS
 * #8 or SEC 1 as PEM (line breaks may be written `\n`) or as base64.
 * @throws Error if a part is not a key
 */
export function splitLetterKeys(text: string): string[] {
  const plain = text.replaceAll('\\n', '\n')
  if (plain.replace(KEY, '').replace(/[\s,]/g, '') !== '') throw new Error('not a key')
  return (plain.match(KEY) ?? []).map(key => key.trim())
}

/** The keys of `LETTER_SIGNING_KEY`. @throws Error if one of them is not a key, or there is none */
export function readLetterKeys(text: string): LetterKeySource[] {
  const keys = splitLetterKeys(text).map(readLetterKey)
  if (keys.length === 0) throw new Error('no key')
  return keys
}
