import { Fault } from '../fault.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const BOMS: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** How many bytes are looked at for UTF-16 without a byte order mark. */
const SAMPLE = 4096

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

/** Text of Latin letters has its zero bytes on one side only when it is UTF-16. */
function utf16Without(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  const length = Math.min(bytes.length, SAMPLE)
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > length * 0.3 && even < odd / 8) return 'utf-16le'
  if (even > length * 0.3 && odd < even / 8) return 'utf-16be'
  return undefined
}

/** UTF-8, or Windows-1252 when more of what is not ASCII is wrong in UTF-8 than right. */
function eightBit(bytes: Uint8Array): Encoding | undefined {
  if (bytes.every(byte => byte < 0x80)) return undefined
  let wrong = 0
  let right = 0
  for (const letter of new TextDecoder('utf-8').decode(bytes, { stream: true })) {
    if (letter === '�') wrong++
    else if (letter >= '\u0080') right++
  }
  return wrong > right ? 'windows-1252' : 'utf-8'
}

const binary = () =>
  new Fault('INVALID_CSV', {
    message: 'This is not a text file. Please save the sheet as CSV and choose that file.',
  })

/**
 * Text of a file in UTF-8 or UTF-16 (with or without a byte order mark) or Windows-1252, piece by piece. What cannot
 * be decoded becomes U+FFFD.
 * @throws Fault `INVALID_CSV` for what is no text: an archive (as .xlsx is), or NUL characters
 */
export async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let first = true
  for await (const piece of joined(bytes)) {
    if (first && startsWith(piece, [0x50, 0x4b, 0x03, 0x04])) throw binary()
    const marked = first ? BOMS.find(([, bom]) => startsWith(piece, bom))?.[0] : undefined
    const encoding: Encoding | undefined = decoder
      ? undefined
      : (marked ?? (first ? utf16Without(piece) : undefined) ?? eightBit(piece))
    first = false
    if (encoding) decoder = new TextDecoder(encoding)
    // Until the first letter beyond ASCII every eight-bit encoding reads the same.
    const text = decoder ? decoder.decode(piece, { stream: true }) : new TextDecoder('utf-8').decode(piece)
    if (text.includes('\0')) throw binary()
    if (text !== '') yield text
  }
  const rest = decoder?.decode()
  if (rest) yield rest
}

/** Pieces of a useful size: the first tells the encoding, and small ones would cost a turn each. */
async function* joined(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    held.push(piece)
    size += piece.byteLength
    if (size < 64 * 1024) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}
