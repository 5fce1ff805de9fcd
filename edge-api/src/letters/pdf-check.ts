import { hexOf } from '../digest.ts'
import { readCertificate } from './certificate.ts'
import { type Detached, encodeDetached, readDetached, verifyDetached } from './cms.ts'
import { importPublic } from './key-pairs.ts'
import type { PublicLetterKey } from './keys.ts'

export type PdfCheck =
  /** `certificate`: what a PDF reader shows as the signer, in DER. */
  | { kind: 'genuine'; key: PublicLetterKey; code: string; certificate: Uint8Array<ArrayBuffer> }
  | { kind: 'altered'; key: PublicLetterKey; coversWholeFile: boolean }
  /** Unchanged, but dated outside the validity of its certificate. */
  | { kind: 'not_ours' | 'revoked_key' | 'outside_validity' }

const RANGE = /\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g

/** True if bytes begin like a PDF; the header may come a little later (ISO 32000-1, annex H). */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1024)).includes('%PDF-')
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

interface Signed {
  /** Content of the placeholder for the signature, in hexadecimal. */
  digits: string
  data: Uint8Array<ArrayBuffer>
  coversWholeFile: boolean
}

/**
 * The content that a byte range covers: two parts around one string of hexadecimal digits, which is the signature.
 */
function signedPart(bytes: Uint8Array, text: string, range: readonly number[]): Signed | undefined {
  const [start = 0, length = 0, second = 0, secondLength = 0] = range
  const end = second + secondLength
  if (start !== 0 || second <= length || end > bytes.length) return undefined
  const digits = /^<([0-9a-fA-F]*)>$/.exec(text.slice(length, second))?.[1]
  if (!digits || digits.length % 2 !== 0) return undefined
  const data = new Uint8Array(length + secondLength)
  data.set(bytes.subarray(0, length))
  data.set(bytes.subarray(second, end), length)
  return { digits, data, coversWholeFile: end === bytes.length }
}

const bytesOf = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))

/** Our key that a certificate is for. Its other content is not compared: keys outlive their certificates. */
function keyOf(certificate: Uint8Array<ArrayBuffer>, keys: readonly PublicLetterKey[]) {
  try {
    const { x, y } = readCertificate(certificate)
    return keys.find(({ jwk }) => jwk.x === x && jwk.y === y)
  } catch {
    return undefined
  }
}

/** The signing time of a file, in milliseconds; only meaningful for a file of ours. */
function signedAt(text: string): number {
  const [, year, month, day, hour, minute, second] =
    /\/M\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)\/Reference/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

function isWithinValidity(text: string, certificate: Uint8Array<ArrayBuffer>): boolean {
  const { notBefore, notAfter } = readCertificate(certificate)
  const at = signedAt(text)
  return notBefore <= at && at <= notAfter
}

/**
 * True if the placeholder contains the signature in the only encoding that we write: DER in lowercase hexadecimal, then zeros.
 */
async function isWrittenByUs(digits: string, parts: Detached): Promise<boolean> {
  return hexOf((await encodeDetached(parts)).buffer).padEnd(digits.length, '0') === digits
}

/**
 * Checks a PDF's signature: made by a key of ours, over every byte of the file but itself. Anything appended, changed, in
 * another notation or not covered makes it altered.
 */
export async function checkPdf(bytes: Uint8Array, keys: readonly PublicLetterKey[]): Promise<PdfCheck> {
  const text = textOf(bytes)
  let altered: PdfCheck | undefined
  const ranges = [...text.matchAll(RANGE)]
  for (const [, ...range] of ranges.slice(0, 8)) {
    const signed = signedPart(bytes, text, range.map(Number))
    const parts = signed && readDetached(bytesOf(signed.digits))
    const key = parts && keyOf(parts.certificate, keys)
    if (!key) continue
    if (key.revoked) return { kind: 'revoked_key' }
    const { digits, data, coversWholeFile } = signed
    const { certificate } = parts
    // A file that we signed names its letter exactly once, because we created all of it.
    const code = /\/PortalLetter\((\w{12})\)/.exec(text)?.[1]
    const intact =
      ranges.length === 1 &&
      coversWholeFile &&
      (await isWrittenByUs(digits, parts)) &&
      (await verifyDetached(parts, data, await importPublic(key.jwk)))
    if (intact && code)
      return isWithinValidity(text, certificate)
        ? { kind: 'genuine', key, code, certificate }
        : { kind: 'outside_validity' }
    altered = { kind: 'altered', key, coversWholeFile }
  }
  return altered ?? { kind: 'not_ours' }
}
