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
const CONFIGURED_KEY =
  /\{[^{}]*\}|-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]*?-----END (?:EC )?PRIVATE KEY-----|[^\s,{}-][^,{}-]*/g

/** The object identifier of P-256, in DER. */
const P256 = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
/** Start of a PKCS #8 key after its outer length: version 0, and the algorithm (elliptic curve, P-256). */
const PKCS8 = [0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, ...P256]
/** Start of a SEC 1 key after its outer length: version 1, and the header of the private key, whose 32 bytes follow. */
const SEC1 = [0x02, 0x01, 0x01, 0x04, 0x20]
/** The curve, which follows the private key in a SEC 1 key. */
const SEC1_CURVE = [0xa0, 0x0a, ...P256]

const hasBytes = (bytes: Uint8Array, start: number, expected: readonly number[]) =>
  expected.every((byte, offset) => bytes[start + offset] === byte)

/** Encodes a DER value of up to 255 bytes, with its tag and length. */
const der = (tag: number, content: readonly number[]) =>
  content.length < 128 ? [tag, content.length, ...content] : [tag, 0x81, content.length, ...content]

/**
 * Decodes a base64 key to PKCS #8. SEC 1, the output of `openssl genpkey -outform DER`, cannot be imported directly, so it is
 * wrapped.
 */
function pkcs8FromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), character => character.charCodeAt(0))
  // A DER sequence, whose length is encoded in one or two bytes.
  const start = bytes[1] === 0x81 ? 3 : 2
  if (bytes[0] === 0x30 && bytes[start - 1] === bytes.length - start) {
    if (hasBytes(bytes, start, PKCS8)) return bytes
    const curveStart = start + SEC1.length + 32
    if (hasBytes(bytes, start, SEC1) && hasBytes(bytes, curveStart, SEC1_CURVE)) {
      const trailingBytes = bytes.subarray(curveStart + SEC1_CURVE.length)
      const key = der(0x30, [...bytes.subarray(start, curveStart), ...trailingBytes])
      return Uint8Array.from(der(0x30, [...PKCS8, ...der(0x04, key)]))
    }
  }
  throw new Error('not a private P-256 key')
}

/** Parses one configured key. @throws Error if it is not a key */
export function readLetterKey(text: string): LetterKeySource {
  if (text.startsWith('{')) return { jwk: privateJwk.parse(JSON.parse(text)) }
  return { pkcs8: pkcs8FromBase64(PEM.exec(text)?.[1] ?? text) }
}

/**
 * Splits `LETTER_SIGNING_KEY` into its keys, which are separated by commas; the first one signs. Each is
 * either a JWK (JSON) or a PKCS #8 or SEC 1 key, encoded as PEM or base64. In PEM, a line break may be written as `\n`.
 * @throws Error if a part is not a key
 */
export function splitLetterKeys(text: string): string[] {
  const unescaped = text.replaceAll('\\n', '\n')
  if (unescaped.replace(CONFIGURED_KEY, '').replace(/[\s,]/g, '') !== '')
    throw new Error('LETTER_SIGNING_KEY contains text that is not a key')
  return (unescaped.match(CONFIGURED_KEY) ?? []).map(key => key.trim())
}

/** Parses the keys of `LETTER_SIGNING_KEY`. @throws Error if one of them is not a key, or there is none */
export function readLetterKeys(text: string): LetterKeySource[] {
  const keys = splitLetterKeys(text).map(readLetterKey)
  if (keys.length === 0) throw new Error('LETTER_SIGNING_KEY contains no key')
  return keys
}
