import { hexOf } from '../digest.ts'
import { readCertificate } from './certificate.ts'
import { type DetachedSignature, encodeDetached, readDetached, verifyDetached } from './cms.ts'
import { importPublicKey } from './key-pairs.ts'
import type { PublicLetterKey } from './keys.ts'

export type PdfCheck =
  /** `certificate` is the certificate that PDF readers show as the signer's, in DER. */
  | { kind: 'genuine'; key: PublicLetterKey; code: string; certificate: Uint8Array<ArrayBuffer> }
  | { kind: 'altered'; key: PublicLetterKey; coversWholeFile: boolean }
  /** `outside_validity`: unchanged, but dated outside the validity period of the signer's certificate. */
  | { kind: 'not_ours' | 'revoked_key' | 'outside_validity' }

const BYTE_RANGE = /\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g

/** True if the file has a PDF header, which need not be at the very beginning (ISO 32000-1, annex H). */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1024)).includes('%PDF-')
}

function decodeLatin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

interface SignedPdf {
  /** Content of the signature's container, in hexadecimal. */
  digits: string
  data: Uint8Array<ArrayBuffer>
  coversWholeFile: boolean
}

/**
 * Returns the data that a signature's byte range covers (the bytes before and after the signature), and the signature itself,
 * which is a string of hexadecimal digits between them.
 */
function readSignedPart(bytes: Uint8Array, text: string, range: readonly number[]): SignedPdf | undefined {
  const [start = 0, length = 0, secondStart = 0, secondLength = 0] = range
  const end = secondStart + secondLength
  if (start !== 0 || secondStart <= length || end > bytes.length) return undefined
  const digits = /^<([0-9a-fA-F]*)>$/.exec(text.slice(length, secondStart))?.[1]
  if (!digits || digits.length % 2 !== 0) return undefined
  const data = new Uint8Array(length + secondLength)
  data.set(bytes.subarray(0, length))
  data.set(bytes.subarray(secondStart, end), length)
  return { digits, data, coversWholeFile: end === bytes.length }
}

const hexToBytes = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))

/**
 * Finds our key to which a certificate belongs. Only the keys are compared, because a key can get a new certificate.
 */
function findKeyOfCertificate(certificate: Uint8Array<ArrayBuffer>, keys: readonly PublicLetterKey[]) {
  try {
    const { x, y } = readCertificate(certificate)
    return keys.find(({ jwk }) => jwk.x === x && jwk.y === y)
  } catch {
    return undefined
  }
}

/** Returns the signing time that a file states, in milliseconds since 1970. Only reliable for files that we created. */
function readSigningTime(text: string): number {
  const [, year, month, day, hour, minute, second] =
    /\/M\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)\/Reference/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

function isWithinValidity(text: string, certificate: Uint8Array<ArrayBuffer>): boolean {
  const { notBefore, notAfter } = readCertificate(certificate)
  const at = readSigningTime(text)
  return notBefore <= at && at <= notAfter
}

/**
 * True if the container has the signature in the only encoding that we write: DER in lowercase hexadecimal, padded with zeros.
 */
async function isWrittenByUs(digits: string, parts: DetachedSignature): Promise<boolean> {
  return hexOf((await encodeDetached(parts)).buffer).padEnd(digits.length, '0') === digits
}

/**
 * Checks that a PDF was signed with one of our keys, and that the signature covers every byte of the file except itself. A file
 * in which anything was appended, changed, encoded differently or is not covered counts as altered.
 */
export async function checkPdf(bytes: Uint8Array, keys: readonly PublicLetterKey[]): Promise<PdfCheck> {
  const text = decodeLatin1(bytes)
  let altered: PdfCheck | undefined
  const ranges = [...text.matchAll(BYTE_RANGE)]
  for (const [, ...range] of ranges.slice(0, 8)) {
    const signed = readSignedPart(bytes, text, range.map(Number))
    const parts = signed && readDetached(hexToBytes(signed.digits))
    const key = parts && findKeyOfCertificate(parts.certificate, keys)
    if (!key) continue
    if (key.revoked) return { kind: 'revoked_key' }
    const { digits, data, coversWholeFile } = signed
    const { certificate } = parts
    // A file that we signed contains the letter's code exactly once, because we created the whole file.
    const code = /\/PortalLetter\((\w{12})\)/.exec(text)?.[1]
    const isIntact =
      ranges.length === 1 &&
      coversWholeFile &&
      (await isWrittenByUs(digits, parts)) &&
      (await verifyDetached(parts, data, await importPublicKey(key.jwk)))
    if (isIntact && code)
      return isWithinValidity(text, certificate)
        ? { kind: 'genuine', key, code, certificate }
        : { kind: 'outside_validity' }
    altered = { kind: 'altered', key, coversWholeFile }
  }
  return altered ?? { kind: 'not_ours' }
}
