/*
 * Reads request bodies with time limits, so that a client cannot hold a connection open by sending a byte now and then. The
 * limits count only the time spent waiting for the client, and not the time spent processing its data.
 */

/** By how much a client may fall behind `MIN_BYTES_PER_SECOND`, in milliseconds. */
export const MAX_LAG_MS = 10_000
/** Minimum rate at which a client must send, in bytes per second. */
export const MIN_BYTES_PER_SECOND = 500
/** Maximum wait for a complete body that is not an upload, in milliseconds. */
export const BODY_TIMEOUT_MS = 60_000

/** Thrown if the client sends its body too slowly. */
export class SlowBodyError extends Error {}
/** Thrown if the client disconnects before the end of its body, or if the body's framing is invalid. */
export class BrokenBodyError extends Error {}
/** Thrown if the body is larger than the limit. */
export class LargeBodyError extends Error {}

type Chunk = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>

/**
 * Returns a function that reads the next chunk of a body. It throws SlowBodyError if the client has sent less than 500 bytes a
 * second for 10 s, or has taken longer than `limit` milliseconds for the whole body, and BrokenBodyError if the body is
 * incomplete.
 */
export function timedReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit = Number.POSITIVE_INFINITY,
): () => Promise<Chunk> {
  const reader = body.getReader()
  let creditMs = MAX_LAG_MS
  let remainingMs = limit
  return async () => {
    const began = performance.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    const timedOut = new Promise<never>((_, reject) => {
      const timeout = () => {
        const error = new SlowBodyError('The body arrives too slowly')
        reject(error)
        reader.cancel(error).catch(() => undefined)
      }
      timer = setTimeout(timeout, Math.max(0, Math.min(creditMs, remainingMs)))
    })
    const read = reader.read().catch((cause: unknown) => {
      throw new BrokenBodyError('The body is incomplete', { cause })
    })
    try {
      const chunk = await Promise.race([read, timedOut])
      const waited = performance.now() - began
      remainingMs -= waited
      creditMs = Math.min(
        MAX_LAG_MS,
        creditMs - waited + ((chunk.value?.byteLength ?? 0) / MIN_BYTES_PER_SECOND) * 1000,
      )
      return chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Maximum number of bytes that are read of a rejected body. If none were read, a client that is still sending would not receive
 * the response.
 */
const MAX_DRAIN_BYTES = 32 * 1024 * 1024

/**
 * Reads and discards the unread part of a request body, because some clients read the response only after sending the whole
 * body.
 */
export async function discardBody({ body }: Request): Promise<void> {
  if (!body || body.locked) return
  const readChunk = timedReader(body, BODY_TIMEOUT_MS)
  try {
    let size = 0
    for (let chunk = await readChunk(); !chunk.done && size <= MAX_DRAIN_BYTES; chunk = await readChunk())
      size += chunk.value.byteLength
  } catch {
    // The body is slow or truncated, so the connection is closed after the response.
  }
}

/** Reads a whole body. @param max maximum number of bytes @throws LargeBodyError, SlowBodyError, BrokenBodyError */
export async function readCompleteBody(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request
  if (!body) return new Uint8Array()
  const readChunk = timedReader(body, BODY_TIMEOUT_MS)
  const chunks: Uint8Array[] = []
  let size = 0
  const declaredSize = Number(request.headers.get('content-length') ?? 0)
  for (let chunk = await readChunk(); !chunk.done; chunk = await readChunk()) {
    size += chunk.value.byteLength
    if (size > MAX_DRAIN_BYTES) break
    if (Math.max(size, declaredSize) <= max) chunks.push(chunk.value)
  }
  if (Math.max(size, declaredSize) > max) throw new LargeBodyError(`The body has more than ${max} bytes`)
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
