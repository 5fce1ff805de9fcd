/*
 * Bodies under time limits: a client that sends an occasional byte must not hold a connection open. The limits
 * only count time spent waiting for the client, not time spent processing its data.
 */

/** How long a client may fall behind `MIN_RATE`, in milliseconds. */
export const MAX_LAG = 10_000
/** Bytes per second. */
export const MIN_RATE = 500
/** Longest wait for a complete body that isn't an upload, in milliseconds. */
export const BODY_TIMEOUT = 60_000

/** The client sends its body too slowly. */
export class SlowBodyError extends Error {}
/** The client disconnected before the end of its body, or framed it wrongly. */
export class BrokenBodyError extends Error {}
/** The body has more bytes than are accepted. */
export class LargeBodyError extends Error {}

type Chunk = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>

/**
 * Reads a body piece by piece.
 * @returns a function that returns the next piece; it throws SlowBodyError if the client has sent less than 500 bytes a second
 * for 10 s, or took longer than `limit` milliseconds for the whole body, and BrokenBodyError
 */
export function timedReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit = Number.POSITIVE_INFINITY,
): () => Promise<Chunk> {
  const reader = body.getReader()
  let credit = MAX_LAG
  let left = limit
  return async () => {
    const began = performance.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      const timeout = () => {
        const slow = new SlowBodyError('The body arrives too slowly')
        reject(slow)
        reader.cancel(slow).catch(() => undefined)
      }
      timer = setTimeout(timeout, Math.max(0, Math.min(credit, left)))
    })
    const read = reader.read().catch((cause: unknown) => {
      throw new BrokenBodyError('The body is incomplete', { cause })
    })
    try {
      const chunk = await Promise.race([read, late])
      const waited = performance.now() - began
      left -= waited
      credit = Math.min(MAX_LAG, credit - waited + ((chunk.value?.byteLength ?? 0) / MIN_RATE) * 1000)
      return chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

/** How much of a refused body is still read, in bytes: a client that is sending would otherwise not see the response. */
const MAX_DRAIN = 32 * 1024 * 1024

/** Reads a request body that is still unread, for clients that read the response only after sending all of it. */
export async function discardBody({ body }: Request): Promise<void> {
  if (!body || body.locked) return
  const next = timedReader(body, BODY_TIMEOUT)
  try {
    let size = 0
    for (let chunk = await next(); !chunk.done && size <= MAX_DRAIN; chunk = await next())
      size += chunk.value.byteLength
  } catch {
    // Slow or truncated: the connection is closed after the response.
  }
}

/**
 * Reads a complete body.
 * @param max maximum number of bytes
 * @throws LargeBodyError, SlowBodyError, BrokenBodyError
 */
export async function readCompleteBody(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request
  if (!body) return new Uint8Array()
  const next = timedReader(body, BODY_TIMEOUT)
  const chunks: Uint8Array[] = []
  let size = 0
  const declared = Number(request.headers.get('content-length') ?? 0)
  for (let chunk = await next(); !chunk.done; chunk = await next()) {
    size += chunk.value.byteLength
    if (size > MAX_DRAIN) break
    if (Math.max(size, declared) <= max) chunks.push(chunk.value)
  }
  if (Math.max(size, declared) > max) throw new LargeBodyError(`The body has more than ${max} bytes`)
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
