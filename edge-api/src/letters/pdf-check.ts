import { checkDetached } from './cms.ts'
import type { PublicLetterKey } from './keys.ts'

export type PdfCheck =
  | { kind: 'genuine'; key: PublicLetterKey; code: string }
  | { kind: 'altered'; key: PublicLetterKey; coversWholeFile: boolean }
  | { kind: 'not_ours' | 'revoked_key' }

const RANGE = /\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g

/** True when bytes begin as a PDF does; the header may stand a little later (ISO 32000-1, annex H). */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1024)).includes('%PDF-')
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

interface Signed {
  cms: Uint8Array<ArrayBuffer>
  data: Uint8Array<ArrayBuffer>
  coversWholeFile: boolean
}

/** What a byte range signs: two parts around one string of hexadecimal digits, which is the signature. */
function signedPart(bytes: Uint8Array, text: string, range: readonly number[]): Signed | undefined {
  const [start = 0, length = 0, second = 0, secondLength = 0] = range
  const end = second + secondLength
  if (start !== 0 || second <= length || end > bytes.length) return undefined
  const digits = /^<([0-9a-fA-F]*)>$/.exec(text.slice(length, second))?.[1]
  if (!digits || digits.length % 2 !== 0) return undefined
  const cms = Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  const data = new Uint8Array(length + secondLength)
  data.set(bytes.subarray(0, length))
  data.set(bytes.subarray(second, end), length)
  return { cms, data, coversWholeFile: end === bytes.length }
}

/**
 * Checks a PDF's signature: one that a key of ours made, over every byte of the file but itself. Anything appended,
 * changed or left uncovered makes it altered.
 */
export async function checkPdf(bytes: Uint8Array, keys: readonly PublicLetterKey[]): Promise<PdfCheck> {
  const text = textOf(bytes)
  let altered: PdfCheck | undefined
  const ranges = [...text.matchAll(RANGE)]
  for (const [, ...range] of ranges.slice(0, 8)) {
    const signed = signedPart(bytes, text, range.map(Number))
    if (!signed) continue
    const { signer, intact } = await checkDetached(signed.cms, signed.data)
    const key = signer && keys.find(({ certificate }) => sameBytes(certificate, signer))
    if (!key) continue
    if (key.revoked) return { kind: 'revoked_key' }
    // What we sign names its letter; the whole file being ours, it can stand there but once.
    const code = /\/PortalLetter\((\w{12})\)/.exec(text)?.[1]
    if (intact && signed.coversWholeFile && ranges.length === 1 && code) return { kind: 'genuine', key, code }
    altered = { kind: 'altered', key, coversWholeFile: signed.coversWholeFile }
  }
  return altered ?? { kind: 'not_ours' }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
