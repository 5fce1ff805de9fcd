/*
 * Bytes of a spreadsheet's file as text. Which eight-bit encoding a file has is known only at its end, so bytes that
 * are not UTF-8 are kept in the text until then, as lone surrogates U+DC80 to U+DCFF (Python's `surrogateescape`).
 */

/** A well-formed sequence of UTF-8 (Unicode, table 3-7) in bytes read as Latin-1, or a byte in none. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g
const HIGH = /[\x80-\uffff]/

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @param codes of UTF-16 */
function stringOf(codes: Uint8Array | Uint16Array): string {
  let text = ''
  for (let at = 0; at < codes.length; at += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + 8192))
  return text
}

const FIRST_KEPT = 0xdc80
const kept = (byte: number) => (byte < 0x80 ? byte : 0xdc00 + byte)

/** All bytes kept, by a loop, since half of an upload's reading was spent here; undefined when some may be a sequence. */
function allKept(bytes: Uint8Array): Uint16Array | undefined {
  const codes = new Uint16Array(bytes)
  for (let at = 0; at < codes.length; at++) {
    const byte = codes[at] ?? 0
    if (byte >= 0xc2 && ((codes[at + 1] ?? 0) & 0xc0) === 0x80) return undefined
    codes[at] = kept(byte)
  }
  return codes
}

/** True for a kept byte, which half of a surrogate pair is not. Loops with it are quicker than `/[\udc80-\udcff]/u`. */
function isKept(text: string, at: number, code = text.charCodeAt(at)): boolean {
  if (code < FIRST_KEPT || code > 0xdcff) return false
  const before = text.charCodeAt(at - 1)
  return !(before >= 0xd800 && before < 0xdc00)
}

/** The text with each kept byte replaced by the code of UTF-16 that `codeOf` has for it. */
function replaceKept(text: string, codeOf: (byte: number) => number): string {
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < codes.length; at++) {
    const code = text.charCodeAt(at)
    codes[at] = isKept(text, at, code) ? codeOf(code - 0xdc00) : code
  }
  return stringOf(codes)
}

/** Text in UTF-8 in which each byte that is not UTF-8 is kept. A sequence must not be cut at the end (`cutAt`). */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    const codes = allKept(bytes)
    if (codes) return stringOf(codes)
    return stringOf(bytes).replace(SEQUENCE, found =>
      found.length === 1
        ? String.fromCharCode(kept(found.charCodeAt(0)))
        : strict.decode(Uint8Array.from(found, letter => letter.charCodeAt(0))),
    )
  }
}

/** How many bytes at the end may begin a sequence of UTF-8 whose rest is still to come. */
export function cutAt(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0x80 && byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/** UTF-16, by its mark or by the zero bytes of the header's first two letters. */
export function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  if (a === 0 && b && c === 0 && d) return 'utf-16be'
  return undefined
}

const WINDOWS = Uint16Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128)),
  letter => letter.charCodeAt(0),
)

/** Kept bytes read as Windows-1252; the five that it does not define become control characters. */
export const asWindows1252 = (text: string) =>
  HIGH.test(text) ? replaceKept(text, byte => WINDOWS[byte - 0x80] ?? 0) : text

/** Symbols that stand in words only where another code page (Mac Roman, 437, 850, 1250, ISO 8859-2) was read wrongly. */
const SYMBOL = '[¡¢£¤¥¦§©¬®¯±²³¶¸¹¼½¾¿×÷‚ƒ„†‡ˆ‰‹›•˜™€]'
const MISREAD = new RegExp(
  `[\\x80-\\x9f]|\\p{L}${SYMBOL}|${SYMBOL}\\p{Ll}|\\p{L}[“”–—…]\\p{Ll}|\\p{Ll}[ŠŒŽŸ]|\\p{L}[ŠŒŽŸ]\\p{Ll}|[À-ÖØ-öø-ÿ]{4}|[À-ÖØ-öø-ÿ][ªº]|^[^«]*\\p{L}»`,
  'u',
)
/** Kept bytes without which a row is not misread: looked for first, since that is quicker. */
const SUSPECT = /[\udc80-\udcbf\udcd7\udcf7]|[\udcc0-\udcff]{4}/
/** Bytes that are both: a capital and punctuation at the end of a word in Windows-1252 (`É”`), a letter in UTF-8 (`ɔ`). */
const BOTH = /^(?:[\0-\x7f]|[\xc6-\xf4][\x85\x91-\x94\x96\x97\xa0\xab\xbb]+(?![a-z]))*$/
const isBoth = (text: string) => BOTH.test(stringOf(new TextEncoder().encode(text)))

/** What one row says of its file's encoding. */
export type Reading = 'ascii' | 'utf-8' | 'utf-8 or windows-1252' | 'not utf-8'

/** Whether a text has kept bytes, and other characters beyond ASCII. */
function contentOf(text: string): { hasKept: boolean; hasOthers: boolean } {
  const found = { hasKept: false, hasOthers: false }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (isKept(text, at, code)) found.hasKept = true
    else found.hasOthers = true
  }
  return found
}

/** Gathers from its rows which encoding a file has. */
export class FileEncoding {
  #utf8 = false
  #others = false
  /** True when one row by itself is a mixture. */
  #mixture = false
  #misread: number | undefined

  /** @param marked true for a file that begins with the mark of UTF-8 */
  constructor({ marked = false } = {}) {
    this.#utf8 = marked
  }

  /** @param line where the text stands in the file, from 1 */
  see(text: string, line: number): Reading {
    if (!HIGH.test(text)) return 'ascii'
    const { hasKept, hasOthers } = contentOf(text)
    if (!hasKept) {
      this.#utf8 = true
      return isBoth(text) ? 'utf-8 or windows-1252' : 'utf-8'
    }
    this.#others = true
    this.#mixture ||= hasOthers
    if (this.#misread === undefined && SUSPECT.test(text) && MISREAD.test(asWindows1252(text)))
      this.#misread = line
    return 'not utf-8'
  }

  /** True when parts of the file are UTF-8 and others are not: then only rows that are certain can be read. */
  get mixed(): boolean {
    return (this.#utf8 && this.#others) || this.#mixture
  }

  /** Line of a file in an eight-bit encoding that shows that it is not Windows-1252. */
  get misreadAt(): number | undefined {
    return this.#utf8 ? undefined : this.#misread
  }
}

/** The text of a whole file: UTF-8, UTF-16 or else Windows-1252; in a mixture, what is not UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  const text = readUtf8(bytes).replace(/^\ufeff/, '')
  return contentOf(text).hasOthers ? replaceKept(text, () => 0xfffd) : asWindows1252(text)
}
