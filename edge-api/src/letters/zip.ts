/*
 * ZIP archives (PKWARE's APPNOTE 6.3) of files that are compressed already: stored as they are, one after the other.
 */

export interface ZipEntry {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (CRC[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

/** Little-endian fields, each a value and its size in bytes. */
function fields(...values: readonly (readonly [value: number, size: number])[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(values.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of values) {
    for (let byte = 0; byte < size; byte += 1) out[at + byte] = Math.floor(value / 256 ** byte) & 255
    at += size
  }
  return out
}

/** Names are UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

/** Date and time as MS-DOS has them, in UTC. */
function dosTime(at: number): [time: number, date: number] {
  const day = new Date(at)
  const time = (day.getUTCHours() << 11) | (day.getUTCMinutes() << 5) | (day.getUTCSeconds() >> 1)
  const date = ((day.getUTCFullYear() - 1980) << 9) | ((day.getUTCMonth() + 1) << 5) | day.getUTCDate()
  return [time, date]
}

/** Streams an archive; an entry is asked for when the one before it has left. At most 65,535 entries and 4 GB in all. */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  at: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const [time, date] = dosTime(at)
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for await (const { name, bytes } of entries) {
    const path = new TextEncoder().encode(name)
    const common = [
      [VERSION, 2],
      [FLAGS, 2],
      [0, 2],
      [time, 2],
      [date, 2],
      [crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [path.length, 2],
      [0, 2],
    ] as const
    directory.push(
      fields([0x02014b50, 4], [VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      path,
    )
    const head = fields([0x04034b50, 4], ...common)
    offset += head.length + path.length + bytes.length
    yield head
    yield path
    yield bytes
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  yield* directory
  const count = directory.length / 2
  yield fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])
}

/**
 * A stream of what a generator gives, as fast as the caller reads; a caller who leaves ends the generator.
 * @param onError called when the generator threw, with the answer broken off
 */
export function streamOf(
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onError: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next()
        if (left) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        // The answer has begun: only breaking it off says that it is not whole.
        onError()
        controller.error(error)
      }
    },
    async cancel() {
      left = true
      await parts.return(undefined)
    },
  })
}
