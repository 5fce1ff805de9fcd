import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod'
import { BrokenBodyError, LargeBodyError, readCompleteBody, SlowBodyError } from '../listener/timed-body.ts'
import { parseScenario, type Scenario } from './scenario.ts'

/** Thrown to respond with an error; `error` is a text for users. */
export class Fault extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly fields: Record<string, string> | undefined

  constructor(status: ContentfulStatusCode, code: string, error: string, fields?: Record<string, string>) {
    super(error)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

export const createNotFoundFault = (what = 'This address') =>
  new Fault(404, 'NOT_FOUND', `${what} was not found`)

/** Converts any thrown value to a Fault. Only a Fault keeps its text. */
export function toFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  if (cause instanceof HTTPException && cause.status === 400) {
    return new Fault(400, 'MALFORMED_BODY', 'The body could not be read')
  }
  if (cause instanceof LargeBodyError) {
    return new Fault(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 64 kB')
  }
  if (cause instanceof SlowBodyError) {
    return new Fault(408, 'REQUEST_TIMEOUT', 'The body arrived too slowly')
  }
  if (cause instanceof BrokenBodyError) {
    return new Fault(400, 'MALFORMED_BODY', 'The body is incomplete')
  }
  return new Fault(500, 'INTERNAL_ERROR', 'Something went wrong in the payment gateway')
}

export function respondWithFault(c: Context, fault: Fault) {
  const fields = fault.fields ? { fields: fault.fields } : {}
  return c.json({ error: fault.message, code: fault.code, ...fields }, fault.status)
}

/** Maximum size of an evidence file, in bytes. */
const MAX_FILE_BYTES = 5 * 1024 * 1024

/** Reads the whole body before the handler runs, with limits of size and time. */
export const limitBody: MiddlewareHandler = async (c, next) => {
  if (c.req.raw.body) {
    const maxBytes = /^\/dispute\/[^/]+\/file$/.test(c.req.path) ? MAX_FILE_BYTES : 64 * 1024
    const body = await readCompleteBody(c.req.raw, maxBytes)
    c.req.raw = new Request(c.req.raw.url, {
      method: c.req.method,
      headers: c.req.raw.headers,
      body,
      signal: c.req.raw.signal,
    })
  }
  await next()
}

/** Rejects a body of any other content type with 415. */
export function requireContentType(type: string): MiddlewareHandler {
  return async (c, next) => {
    const contentType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
    if (contentType !== type) throw new Fault(415, 'UNSUPPORTED_MEDIA_TYPE', `Send the body as ${type}`)
    await next()
  }
}

const typeNames: Record<string, string> = {
  object: 'an object',
  string: 'one text value',
  number: 'a number',
}

/** Returns the message for an error for which the schema defines none. It replaces the library's message. */
function plainMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `Must be ${typeNames[issue.expected] ?? 'of another type'}`
  if (issue.code === 'too_small') return issue.origin === 'string' ? 'Is too short' : 'Is too little'
  if (issue.code === 'too_big') return issue.origin === 'string' ? 'Is too long' : 'Is too much'
  return 'Is not valid'
}

/** Parses one part of the request. Invalid input is answered with 400 and a message per field. */
export function validateInput<T extends z.ZodType, P extends 'json' | 'query' | 'form'>(part: P, schema: T) {
  return zValidator(part, schema, result => {
    if (result.success) return
    // Parses again, with messages for errors for which the schema defines none.
    const { error = result.error } = schema.safeParse(result.data, { error: plainMessage })
    const fields: Record<string, string> = {}
    for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
    throw new Fault(400, 'VALIDATION_ERROR', 'Some fields are missing or wrong', fields)
  })
}

/** Returns the faults that this call requests in its own header. */
export function readHeaderScenario(c: Context): { text: string; scenario: Scenario } {
  const text = c.req.header('x-scenario-key') ?? ''
  const parsed = parseScenario(text)
  if (!parsed.ok) throw new Fault(400, 'INVALID_SCENARIO', `X-Scenario-Key: ${parsed.error}`)
  return { text, scenario: parsed.scenario }
}

/** Waits until the client disconnects, but at most `ms` milliseconds. */
export function waitForDisconnect(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
}
