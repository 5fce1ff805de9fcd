/*
 * Bytes of a spreadsheet's file as text. Which eight-bit encoding a file has is known only at its end, so bytes that
 * are not UTF-8 are kept in the text until then, as lone surrogates U+DC80 to U+DCFF (Python's `surrogateescape`).
 */

/** A well-formed sequence of UTF-8 (Unicode, table 3-7) in bytes read as Latin-1; `SEQUENCE` also a byte in none. */
const MULTIBYTE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/
const SEQUENCE = new RegExp(`${MULTIBYTE.source}|[\\x80-\\xff]`, 'g')
/** A kept byte. With the flag `u`, half of a surrogate pair is none. */
const KEPT = /[\udc80-\udcff]/gu
const HIGH = /[\x80-\uffff]/

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @param codes of UTF-16 */
function stringOf(codes: Uint8Array | Uint16Array): string {
  let text = ''
  for (let at = 0; at < codes.length; at += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + 8192))
  return text
}

const kept = (byte: number) => (byte < 0x80 ? byte : 0xdc00 + byte)

/** All bytes kept, by a loop: `Uint16Array.from` with a function takes several times as long. */
function allKept(bytes: Uint8Array): Uint16Array {
  const codes = new Uint16Array(bytes)
  for (let at = 0; at < codes.length; at++) codes[at] = kept(codes[at] ?? 0)
  return codes
}

/** Text in UTF-8 in which each byte that is not UTF-8 is kept. A sequence must not be cut at the end (`cutAt`). */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    const latin1 = stringOf(bytes)
    // Most such files have no sequence at all, which is quicker.
    if (!MULTIBYTE.test(latin1)) return stringOf(allKept(bytes))
    return latin1.replace(SEQUENCE, found =>
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

const WINDOWS = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128))

/** Kept bytes read as Windows-1252; the five that it does not define become control characters. */
export const asWindows1252 = (text: string) =>
  HIGH.test(text) ? text.replace(KEPT, kept => WINDOWS.charAt(kept.charCodeAt(0) - 0xdc80)) : text

/** Symbols that stand in words only where another code page (Mac Roman, 437, 850, 1250, ISO 8859-2) was read wrongly. */
const SYMBOL = '[¡¢£¤¥¦§©¬®¯±²³¶¸¹¼½¾¿×÷‚ƒ„†‡ˆ‰‹›•˜™€]'
const MISREAD = new RegExp(
  `[\\x80-\\x9f]|\\p{L}${SYMBOL}|${SYMBOL}\\p{Ll}|\\p{L}[“”–—…]\\p{Ll}|\\p{Ll}[ŠŒŽŸ]|\\p{L}[ŠŒŽŸ]\\p{Ll}|[À-ÖØ-öø-ÿ]{4}`,
  'u',
)
/** Bytes that are both: a capital and punctuation at the end of a word in Windows-1252 (`É”`), a letter in UTF-8 (`ɔ`). */
const BOTH = /^(?:[\0-\x7f]|[\xc6-\xf4][\x85\x91-\x94\x96\x97\xa0\xab\xbb]+(?![a-z]))*$/

/** What one row says of its file's encoding. */
export type Reading = 'ascii' | 'utf-8' | 'utf-8 or windows-1252' | 'not utf-8'

function readingOf(text: string): Reading {
  if (!HIGH.test(text)) return 'ascii'
  if (text.search(KEPT) >= 0) return 'not utf-8'
  return BOTH.test(stringOf(new TextEncoder().encode(text))) ? 'utf-8 or windows-1252' : 'utf-8'
}

/** Gathers from its rows which encoding a file has. */
export class FileEncoding {
  #utf8 = false
  #others = false
  #misread: number | undefined

  /** @param marked true for a file that begins with the mark of UTF-8 */
  constructor({ marked = false } = {}) {
    this.#utf8 = marked
  }

  /** @param line where the text stands in the file, from 1 */
  see(text: string, line: number): Reading {
    const reading = readingOf(text)
    if (reading === 'not utf-8') {
      this.#others = true
      if (this.#misread === undefined && MISREAD.test(asWindows1252(text))) this.#misread = line
    } else if (reading !== 'ascii') this.#utf8 = true
    return reading
  }

  /** True when some rows are UTF-8 and others are not: then only rows that are certain can be read. */
  get mixed(): boolean {
    return this.#utf8 && this.#others
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
  const isUtf8 = HIGH.test(text.replace(KEPT, ''))
  return isUtf8 ? text.replace(KEPT, '\ufffd') : asWindows1252(text)
}
