/*
 * Decodes spreadsheet files whose eight-bit encoding is known only at the end. Until then, bytes that are not UTF-8 are kept as
 * lone surrogates U+DC80 to U+DCFF (as in Python's `surrogateescape`), and called escaped here.
 */

/** Matches, in bytes read as Latin-1, a well-formed UTF-8 sequence (Unicode, table 3-7) or a byte that is not part of one. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g
const NON_ASCII = /[\x80-\uffff]/

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Converts UTF-16 code units to a string. */
function decodeCodes(codes: Uint8Array | Uint16Array): string {
  let text = ''
  for (let start = 0; start < codes.length; start += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(start, start + 8192))
  return text
}

const FIRST_ESCAPED = 0xdc80
const escapeByte = (byte: number) => (byte < 0x80 ? byte : 0xdc00 + byte)

/**
 * Escapes all non-ASCII bytes in one loop, if none can start a UTF-8 sequence; otherwise returns undefined. This is for speed:
 * decoding used to take half the time of reading an upload.
 */
function escapeAll(bytes: Uint8Array): Uint16Array | undefined {
  const codes = new Uint16Array(bytes)
  for (let index = 0; index < codes.length; index++) {
    const byte = codes[index] ?? 0
    if (byte >= 0xc2 && ((codes[index + 1] ?? 0) & 0xc0) === 0x80) return undefined
    codes[index] = escapeByte(byte)
  }
  return codes
}

/**
 * True for an escaped byte, as opposed to the second half of a surrogate pair. In loops, this is faster than
 * `/[\udc80-\udcff]/u`.
 */
function isEscaped(text: string, index: number, code = text.charCodeAt(index)): boolean {
  if (code < FIRST_ESCAPED || code > 0xdcff) return false
  const before = text.charCodeAt(index - 1)
  return !(before >= 0xd800 && before < 0xdc00)
}

/** Replaces each escaped byte with the UTF-16 code unit that `codeOf` returns for it. */
function replaceEscaped(text: string, codeOf: (byte: number) => number): string {
  const codes = new Uint16Array(text.length)
  for (let index = 0; index < codes.length; index++) {
    const code = text.charCodeAt(index)
    codes[index] = isEscaped(text, index, code) ? codeOf(code - 0xdc00) : code
  }
  return decodeCodes(codes)
}

/** Decodes UTF-8 and escapes all other bytes. The end must not be in the middle of a sequence (see `incompleteBytesAtEnd`). */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    const codes = escapeAll(bytes)
    if (codes) return decodeCodes(codes)
    return decodeCodes(bytes).replace(SEQUENCE, found =>
      found.length === 1
        ? String.fromCharCode(escapeByte(found.charCodeAt(0)))
        : strict.decode(Uint8Array.from(found, letter => letter.charCodeAt(0))),
    )
  }
}

/** Returns how many bytes at the end may belong to an incomplete UTF-8 sequence. */
export function incompleteBytesAtEnd(bytes: Uint8Array): number {
  for (let distance = 1; distance <= Math.min(3, bytes.length); distance++) {
    const byte = bytes[bytes.length - distance] ?? 0
    if (byte >= 0x80 && byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > distance ? distance : 0
  }
  return 0
}

/** Detects UTF-16 by its byte order mark, or by the zero bytes in the first two letters of the header. */
export function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  if (a === 0 && b && c === 0 && d) return 'utf-16be'
  return undefined
}

const WINDOWS_1252 = Uint16Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, index) => index + 128)),
  letter => letter.charCodeAt(0),
)

/** Decodes escaped bytes as Windows-1252; its five undefined bytes become control characters. */
export const asWindows1252 = (text: string) =>
  NON_ASCII.test(text) ? replaceEscaped(text, byte => WINDOWS_1252[byte - 0x80] ?? 0) : text

/**
 * Symbols that appear inside words only if text in another code page (Mac Roman, 437, 850, 1250, ISO 8859-2) was read as
 * Windows-1252.
 */
const SYMBOL = '[¡¢£¤¥¦§©¬®¯±²³¶¸¹¼½¾¿×÷‚ƒ„†‡ˆ‰‹›•˜™€]'
const MISREAD = new RegExp(
  `[\\x80-\\x9f]|\\p{L}${SYMBOL}|${SYMBOL}\\p{Ll}|\\p{L}[“”–—…]\\p{Ll}|\\p{Ll}[ŠŒŽŸ]|\\p{L}[ŠŒŽŸ]\\p{Ll}|[À-ÖØ-öø-ÿ]{4}|[À-ÖØ-öø-ÿ][ªº]|^[^«]*\\p{L}»`,
  'u',
)
/** Escaped bytes without which a text cannot be misread. Checking for them first is faster than `MISREAD`. */
const SUSPECT = /[\udc80-\udcbf\udcd7\udcf7]|[\udcc0-\udcff]{4}/
/**
 * Bytes that can be read in two ways: in Windows-1252 as a capital and punctuation at the end of a word (`É”`), in UTF-8 as one
 * letter (`ɔ`).
 */
const AMBIGUOUS = /^(?:[\0-\x7f]|[\xc6-\xf4][\x85\x91-\x94\x96\x97\xa0\xab\xbb]+(?![a-z]))*$/
/**
 * The last six bits of the punctuation in `AMBIGUOUS`, which are also the last six bits of the letter's code point in UTF-8.
 */
const LAST_BITS = new Set([0x05, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x20, 0x2b, 0x3b])

function isAmbiguous(text: string): boolean {
  // Skip nearly all text early, so that it need not be encoded again.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const isHighSurrogate = code >= 0xd800 && code < 0xdc00
    if (code >= 0x80 && !isHighSurrogate && !LAST_BITS.has(code & 0x3f)) return false
  }
  return AMBIGUOUS.test(decodeCodes(new TextEncoder().encode(text)))
}

/** What one row shows about the file's encoding. */
export type DetectedEncoding = 'ascii' | 'utf-8' | 'utf-8 or windows-1252' | 'not utf-8'

/** Returns whether text has escaped bytes, and whether it has other non-ASCII characters. */
function contentOf(text: string): { hasEscaped: boolean; hasOthers: boolean } {
  const found = { hasEscaped: false, hasOthers: false }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    if (isEscaped(text, index, code)) found.hasEscaped = true
    else found.hasOthers = true
  }
  return found
}

/** Detects a file's encoding from its rows. */
export class FileEncoding {
  #utf8 = false
  #notUtf8 = false
  /** True if a single row mixes encodings. */
  #mixture = false
  #misreadLine: number | undefined

  /** @param hasByteOrderMark true for a file that starts with the UTF-8 byte order mark */
  constructor({ hasByteOrderMark = false } = {}) {
    this.#utf8 = hasByteOrderMark
  }

  /**
   * Takes a row into account and returns what it shows.
   * @param line number of the row's line in the file, from 1
   */
  observe(text: string, line: number): DetectedEncoding {
    if (!NON_ASCII.test(text)) return 'ascii'
    const { hasEscaped, hasOthers } = contentOf(text)
    if (!hasEscaped) {
      this.#utf8 = true
      return isAmbiguous(text) ? 'utf-8 or windows-1252' : 'utf-8'
    }
    this.#notUtf8 = true
    this.#mixture ||= hasOthers
    if (this.#misreadLine === undefined && SUSPECT.test(text) && MISREAD.test(asWindows1252(text)))
      this.#misreadLine = line
    return 'not utf-8'
  }

  /** True if the file mixes UTF-8 with another encoding; then only unambiguous rows can be read. */
  get mixed(): boolean {
    return (this.#utf8 && this.#notUtf8) || this.#mixture
  }

  /** The first line that cannot be Windows-1252; undefined if there is none or if the file has UTF-8. */
  get misreadLine(): number | undefined {
    return this.#utf8 ? undefined : this.#misreadLine
  }
}

/** Decodes a whole file as UTF-8, UTF-16 or Windows-1252; in a mixed file, bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  const text = readUtf8(bytes).replace(/^\ufeff/, '')
  return contentOf(text).hasOthers ? replaceEscaped(text, () => 0xfffd) : asWindows1252(text)
}
