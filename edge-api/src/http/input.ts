import { type ExpectedVersion, INVALID_IF_MATCH, parseIfMatch } from '@portal/contract/if-match'
import { summariseIssues } from '@portal/contract/invalid-input'
import { fieldWithNul, NUL_REFUSED } from '@portal/contract/nul'
import { plainMessage } from '@portal/contract/plain-message'
import type { Route } from '@portal/contract/route'
import { requestMessages } from '@portal/rules/messages'
import type { Context } from 'hono'
import type * as z from 'zod'
import { Fault, invalidField } from '../fault.ts'
import { readBytes } from './body.ts'

/* Parses the input of a call with the contract's schemas. */

/** Maximum size of a JSON body, in bytes. */
const MAX_BODY_BYTES = 256 * 1024

/**
 * Parses one part of a request: its path parameters, its query or its body.
 * @throws Fault `VALIDATION_ERROR` with a message per field; errors without a message in the contract get a general one, so
 * that the library's own messages are never shown
 */
export function parseOrThrow(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: plainMessage })
  if (result.success) return result.data
  throw new Fault('VALIDATION_ERROR', summariseIssues(result.error.issues))
}

/**
 * Removes NUL characters from query parameters; in bodies they are rejected instead. The database driver and the search indexes
 * treat NUL as the end of a string.
 */
const withoutNul = (value: string) => value.replaceAll('\0', '')

/** Returns the query parameters by name. A repeated parameter becomes a list. */
export function readQuery(c: Context): Record<string, string | string[] | undefined> {
  if (!c.req.url.includes('?')) return {}
  const cleanedQuery = Object.entries(c.req.queries()).map(
    ([name, values]) => [name, values.map(withoutNul)] as const,
  )
  return Object.fromEntries(
    cleanedQuery.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/**
 * Returns the version that an `If-Match` header requires, or undefined if there is no header.
 * @throws Fault `VALIDATION_ERROR` for a malformed header, because ignoring it could overwrite someone else's change
 */
export function parseExpectedVersion(header: string | undefined): ExpectedVersion | undefined {
  if (header === undefined) return undefined
  const expected = parseIfMatch(header)
  if (expected === undefined) throw invalidField('If-Match', INVALID_IF_MATCH)
  return expected
}

/**
 * Parses the body of a request as JSON. An empty body is returned as undefined if it is optional.
 * @throws Fault `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, `UNSUPPORTED_MEDIA_TYPE`, or `VALIDATION_ERROR` for a body that is not
 * JSON in UTF-8 or has a NUL in a string
 */
export async function readJson(
  c: Context,
  { optional = false, limit = MAX_BODY_BYTES }: { optional?: boolean; limit?: number | undefined } = {},
): Promise<unknown> {
  const bytes = await readBytes(c.req.raw, limit)
  if (optional && bytes.length === 0) return undefined
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  let value: unknown
  let nulField: string | undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
    if (text.includes('\\u0000')) nulField = fieldWithNul(value)
  } catch (cause) {
    throw invalidField('body', requestMessages.notJson, cause)
  }
  if (type === undefined) throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  if (nulField !== undefined) throw invalidField(nulField, NUL_REFUSED)
  return value
}

/**
 * Returns the input of a call, parsed by the route's schemas. @throws Fault `VALIDATION_ERROR`, and the faults of `readJson`
 */
export async function parseInput(c: Context, { params, query, body, bodyLimit, ifMatch }: Route) {
  return {
    params: params && parseOrThrow(params, c.req.param()),
    query: query && parseOrThrow(query, readQuery(c)),
    expected: ifMatch && parseExpectedVersion(c.req.header('if-match')),
    body: body && parseOrThrow(body, await readJson(c, { optional: body.isOptional(), limit: bodyLimit })),
  }
}
