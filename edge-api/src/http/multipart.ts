import { formatCount } from '@portal/format/numbers'
import { Fault, invalidField } from '../fault.ts'
import { SlowBodyError, timedReader } from '../listener/timed-body.ts'
import { toBodyFault } from './body.ts'

/** A file in a `multipart/form-data` body, read as it arrives. */
export interface FilePart {
  filename: string
  /** The file's bytes. Reading them throws `PAYLOAD_TOO_LARGE` if the body exceeds the limit. */
  bytes: AsyncGenerator<Uint8Array>
  /** Reads and discards the rest of the body, because a client that is still sending would not receive the response. */
  drain(): Promise<void>
}

/** Maximum length of a part's headers, in bytes. */
const MAX_HEADER_BYTES = 8 * 1024
/**
 * Maximum number of parts before the file. Without a limit, a body of five megabytes with 100,000 empty parts would take a
 * second.
 */
const MAX_PARTS = 100
const CRLF = '\r\n'

const createIncompleteFault = (cause?: unknown) =>
  invalidField('file', 'The upload is incomplete. Please try again.', cause)

const createTooLargeFault = (limit: number) =>
  new Fault('PAYLOAD_TOO_LARGE', {
    message: `The file is too large. The limit is ${formatCount(limit)} bytes.`,
  })

function boundaryOf(contentType: string | null): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data') throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  for (const parameter of parameters) {
    const boundary = /^\s*boundary=(?:"([^"]{1,70})"|([^\s"]{1,70}))\s*$/i.exec(parameter)
    if (boundary) return boundary[1] ?? boundary[2] ?? ''
  }
  throw new Fault('UNSUPPORTED_MEDIA_TYPE')
}

/** A buffer over a body: new bytes are added at the end, and processed ones are removed from the front. */
class BodyBuffer {
  buffer: Buffer = Buffer.alloc(0)
  bytesRead = 0
  readonly #next: ReturnType<typeof timedReader>
  readonly #limit: number

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number) {
    this.#next = timedReader(body)
    this.#limit = limit
  }

  /** Waits for more bytes. @returns false at the end of the body */
  async readMore(): Promise<boolean> {
    let next: ReadableStreamReadResult<Uint8Array>
    try {
      next = await this.#next()
    } catch (cause) {
      throw cause instanceof SlowBodyError ? toBodyFault(cause) : createIncompleteFault(cause)
    }
    if (next.done) return false
    this.bytesRead += next.value.byteLength
    if (this.bytesRead > this.#limit) throw createTooLargeFault(this.#limit)
    const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
    this.buffer = this.buffer.byteLength === 0 ? chunk : Buffer.concat([this.buffer, chunk])
    return true
  }

  async drain(): Promise<void> {
    try {
      do this.buffer = Buffer.alloc(0)
      while (await this.readMore())
    } catch {
      // The body is too large, or the client has disconnected. In both cases, the rest does not matter.
    }
  }

  take(bytes: number): Buffer {
    const taken = this.buffer.subarray(0, bytes)
    this.buffer = this.buffer.subarray(bytes)
    return taken
  }
}

interface PartHeaders {
  name: string
  filename: string | undefined
}

/** Matches one parameter of a header, with its value in quotes or, as some programs send it, without. */
const PARAMETER = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/y

function parseParameters(text: string): Map<string, string> {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
    const [, key = '', quoted, bare = ''] = match
    const value = quoted?.replace(/\\(.)/g, '$1').replace(/%22/g, '"') ?? bare.trim()
    if (!found.has(key.toLowerCase())) found.set(key.toLowerCase(), value)
  }
  return found
}

/**
 * Decodes a file name such as `UTF-8''r%C3%A9sum%C3%A9.csv` (RFC 5987), which some programs send in addition to the plain name
 * or instead of it.
 */
function decodeExtendedName(value: string | undefined): string | undefined {
  const name = value?.split("'").slice(2).join("'")
  try {
    return name && decodeURIComponent(name)
  } catch {
    return name
  }
}

function parsePartHeaders(text: string): PartHeaders {
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(text)?.[1] ?? ''
  const parameters = parseParameters(disposition)
  return {
    name: parameters.get('name') ?? '',
    filename: parameters.get('filename') ?? decodeExtendedName(parameters.get('filename*')),
  }
}

/** Yields the bytes of a part up to its delimiter. The delimiter is removed from the body too. */
async function* readPart(body: BodyBuffer, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  for (;;) {
    const end = body.buffer.indexOf(delimiter)
    if (end >= 0) {
      if (end > 0) yield body.take(end)
      body.take(delimiter.byteLength)
      return
    }
    // The last bytes may be the beginning of a delimiter, so only the bytes before them can be yielded.
    const completeLength = body.buffer.byteLength - delimiter.byteLength + 1
    if (completeLength > 0) yield body.take(completeLength)
    if (!(await body.readMore())) throw createIncompleteFault()
  }
}

async function readPartHeaders(body: BodyBuffer): Promise<PartHeaders | undefined> {
  for (;;) {
    if (body.buffer.byteLength >= 2 && body.buffer.toString('latin1', 0, 2) === '--') return undefined
    const end = body.buffer.indexOf('\r\n\r\n')
    if (end >= 0) return parsePartHeaders(body.take(end + 4).toString('utf8', 0, end))
    if (body.buffer.byteLength > MAX_HEADER_BYTES) throw createIncompleteFault()
    if (!(await body.readMore())) throw createIncompleteFault()
  }
}

/**
 * Finds the file in field `name` of a multipart body (RFC 7578), without reading the file itself: everything before it is
 * skipped, and everything after it is not read. Only one chunk of the body is in memory at a time.
 * @param limit maximum size of the body, in bytes
 * @returns undefined if the body has no such file, or the field was left empty
 * @throws Fault `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, or `VALIDATION_ERROR` if the body ends too
 * early
 */
export async function openFilePart(
  request: Request,
  { name, limit }: { name: string; limit: number },
): Promise<FilePart | undefined> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw createTooLargeFault(limit)
  if (!request.body) return undefined
  const body = new BodyBuffer(request.body, limit)
  let found: FilePart | undefined
  try {
    found = await findFile(body, { name, boundary })
  } finally {
    // Reads the rest, because a client that is still sending would not receive the error.
    if (!found) await body.drain()
  }
  return found
}

async function findFile(
  body: BodyBuffer,
  { name, boundary }: { name: string; boundary: string },
): Promise<FilePart | undefined> {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`)
  // The first delimiter has no line break before it. With one added, it can be found like all others.
  body.buffer = Buffer.from(CRLF)
  for await (const _ of readPart(body, delimiter)) {
    // Skips the preamble, which has no meaning.
  }
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const head = await readPartHeaders(body)
    if (!head) return undefined
    const bytes = readPart(body, delimiter)
    if (head.name === name && head.filename !== undefined && head.filename !== '')
      return { filename: head.filename, bytes, drain: () => body.drain() }
    for await (const _ of bytes) {
      // Skips another field.
    }
  }
  throw invalidField('file', `The upload has more than ${MAX_PARTS} parts before its file.`)
}
