import { incompleteBytesAtEnd, readUtf8, utf16Of } from '@portal/format/encoding'
import { Fault } from '../fault.ts'

const UTF8_MARK = [0xef, 0xbb, 0xbf]
const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04]

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, index) => bytes[index] === byte)

/**
 * Returns the error for a file that cannot be read, with advice.
 * @param reason a sentence, which names the line if there is one
 */
export const createUnreadableFault = (reason: string) =>
  new Fault('INVALID_CSV', {
    message: `${reason} Please save the sheet as "CSV UTF-8" and choose that file.`,
  })

export interface DecodedText {
  /** The text in pieces. Bytes that are not UTF-8 are preserved in it (`@portal/format/encoding`). */
  pieces: AsyncGenerator<string>
  /** True if the file has a byte order mark of UTF-8. */
  hasByteOrderMark: boolean
}

/**
 * Decodes a file piece by piece, whether it is in UTF-8, UTF-16 (with or without a byte order mark) or another encoding.
 * @throws Fault `INVALID_CSV` for an archive, such as .xlsx
 */
export async function decode(bytes: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const pieces = mergeChunks(bytes)
  const { value: firstPiece = new Uint8Array(), done } = await pieces.next()
  if (startsWith(firstPiece, ZIP_SIGNATURE)) throw createUnreadableFault('This is not a text file.')
  const utf16 = utf16Of(firstPiece)
  const hasByteOrderMark = startsWith(firstPiece, UTF8_MARK)
  async function* wholeFile() {
    yield hasByteOrderMark ? firstPiece.subarray(3) : firstPiece
    if (!done) yield* pieces
  }
  return { hasByteOrderMark, pieces: utf16 ? readUtf16(wholeFile(), utf16) : readEightBit(wholeFile()) }
}

async function* readUtf16(pieces: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/**
 * Number of bytes that are decoded to one string. V8 keeps longer strings until a full garbage collection, so the heap would
 * grow by 100 MB.
 */
const TEXT_BYTES = 32 * 1024

async function* readEightBit(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let incompleteBytes = new Uint8Array()
  for await (const piece of pieces) {
    const bytes = incompleteBytes.length === 0 ? piece : Buffer.concat([incompleteBytes, piece])
    let offset = 0
    while (offset + TEXT_BYTES < bytes.length) {
      const part = bytes.subarray(offset, offset + TEXT_BYTES)
      const length = TEXT_BYTES - incompleteBytesAtEnd(part)
      yield readUtf8(part.subarray(0, length))
      offset += length
    }
    const end = bytes.length - incompleteBytesAtEnd(bytes.subarray(offset))
    yield readUtf8(bytes.subarray(offset, end))
    incompleteBytes = bytes.slice(end)
  }
  yield readUtf8(incompleteBytes)
}

/** Merges small chunks, because the first must be long enough to detect UTF-16, and each takes a turn of the event loop. */
async function* mergeChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    buffered.push(piece)
    size += piece.byteLength
    if (size < 64 * 1024) continue
    yield Buffer.concat(buffered)
    buffered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(buffered)
}
