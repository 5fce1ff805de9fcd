import { makeZip } from 'client-zip'

export interface ZipEntry {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Yields the bytes of an archive of compressed files. Each entry is requested only after the previous one has been sent.
 * @param at modification time of the entries, in milliseconds since 1970
 */
export async function* streamZip(
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
 * Returns a stream of a generator's output, which is produced only as fast as the client reads. If the client disconnects, the
 * generator is ended.
 * @param onError called if the generator throws, before the response is aborted
 */
export function toStream(
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onError: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isCancelled = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next()
        if (isCancelled) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        // The response has already begun, so aborting it is the only way to show that it is incomplete.
        onError()
        controller.error(error)
      }
    },
    async cancel() {
      isCancelled = true
      // If the client has disconnected, the library rejects with the client's reason, which is not a failure.
      await parts.return(undefined).catch(() => undefined)
    },
  })
}
