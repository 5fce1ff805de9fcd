import { makeZip } from 'client-zip'

export interface ZipEntry {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Streams an archive of files that are compressed already: an entry is asked for when the one before it has left.
 * @param at time of the entries, in milliseconds
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  at: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lastModified = new Date(at)
  async function* files() {
    for await (const { name, bytes } of entries) yield { name, input: bytes, lastModified }
  }
  for await (const part of makeZip(files())) yield new Uint8Array(part)
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
      // The library ends a generator with the caller's reason, which is no failure.
      await parts.return(undefined).catch(() => undefined)
    },
  })
}
