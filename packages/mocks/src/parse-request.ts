import { type ExpectedVersion, INVALID_IF_MATCH, parseIfMatch } from '@portal/contract/if-match'
import { summariseIssues } from '@portal/contract/invalid-input'
import { fieldWithNul, NUL_REFUSED } from '@portal/contract/nul'
import { plainMessage } from '@portal/contract/plain-message'
import { requestMessages } from '@portal/rules/messages'
import type * as z from 'zod'
import { Fault, invalidField } from './fault.ts'

/* Parses requests as the API does, with the same error messages. */

/** Maximum size of a JSON body in bytes, as in the API. */
const MAX_BODY_BYTES = 256 * 1024

/**
 * Parses one part of a request: params, query or body.
 * @throws Fault `VALIDATION_ERROR` with a message for each invalid field
 */
export function parse(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(input, { error: plainMessage })
  if (result.success) return result.data
  const { fields, suggestion } = summariseIssues(result.error.issues)
  throw new Fault('VALIDATION_ERROR', fields, undefined, suggestion)
}

const withoutNul = (value: string) => value.replaceAll('\0', '')

/** Parses a query: repeated names become a list, and NUL characters are removed. */
export function readQuery({ url }: Request): Record<string, string | string[]> {
  const params = new URL(url).searchParams
  return Object.fromEntries(
    [...params.keys()].map(name => {
      const [first = '', ...more] = params.getAll(name).map(withoutNul)
      return [name, more.length > 0 ? [first, ...more] : first]
    }),
  )
}

/**
 * Parses an `If-Match` header; returns undefined if there is none.
 * @throws Fault `VALIDATION_ERROR` if it is malformed
 */
export function expectedVersionOf(header: string | null): ExpectedVersion | undefined {
  if (header === null) return undefined
  const expected = parseIfMatch(header)
  if (expected === undefined) throw invalidField('If-Match', INVALID_IF_MATCH)
  return expected
}

/**
 * Parses a JSON body; returns undefined if it is empty and optional.
 * @throws Fault `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, or `VALIDATION_ERROR` if the body is not JSON in UTF-8 or a
 * string contains a NUL character
 */
export async function readJson(request: Request, { optional = false } = {}): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (optional && bytes.byteLength === 0) return undefined
  if (bytes.byteLength > MAX_BODY_BYTES) throw new Fault('PAYLOAD_TOO_LARGE')
  const type = request.headers.get('content-type')
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  let value: unknown
  let nulField: string | undefined
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    nulField = fieldWithNul(value)
  } catch {
    throw invalidField('body', requestMessages.notJson)
  }
  if (type === null) throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  if (nulField !== undefined) throw invalidField(nulField, NUL_REFUSED)
  return value
}

/** A file in a multipart body. */
export interface UploadedFile {
  name: string
  bytes: Uint8Array
  /** The content as a data URL; empty for a file above `MAX_DATA_URL_BYTES`, because such files are never shown. */
  data: string
}

const MAX_DATA_URL_BYTES = 1_000_000

function dataUrl({ type }: File, bytes: Uint8Array): string {
  const characters = Array.from(bytes, byte => String.fromCharCode(byte))
  return `data:${type || 'application/octet-stream'};base64,${btoa(characters.join(''))}`
}

/**
 * Returns the file in a form field, if any.
 * @throws Fault `UNSUPPORTED_MEDIA_TYPE`
 */
export async function readFile(
  request: Request,
  field: string | undefined,
): Promise<UploadedFile | undefined> {
  if (field === undefined) return undefined
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? ''))
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  const form = await request.formData().catch(() => undefined)
  const file = form?.get(field)
  // For an empty file input, browsers send a file without a name.
  if (!(file instanceof File) || file.name === '') return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { name: file.name, bytes, data: bytes.length > MAX_DATA_URL_BYTES ? '' : dataUrl(file, bytes) }
}
