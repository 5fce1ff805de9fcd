import { invalidInput } from '@portal/contract/invalid-input'
import { plainMessage } from '@portal/contract/plain-message'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { Fault, invalidField } from '../fault.ts'

/* What a caller sends, as the contract's schemas parse it. */

/** Largest JSON body accepted, in bytes. */
const MAX_BODY = 256 * 1024

/**
 * Parses one part of a request: its path's parameters, its query or its body.
 * @throws Fault `VALIDATION_ERROR` with a message a field; where the contract has no words of its own for a mistake, the
 *   library's would leave, so plain ones are given
 */
export function parsed(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: plainMessage })
  if (result.success) return result.data
  throw new Fault('VALIDATION_ERROR', invalidInput(result.error.issues))
}

/** NUL ends a text for the database's driver and the search indexes: what stands behind it would be lost. Nobody types it. */
const withoutNul = (value: string) => value.replaceAll('\0', '')

const eachWithoutNul = (_name: string, value: unknown) =>
  typeof value === 'string' ? withoutNul(value) : value

/** A query by name; what is given several times is a list. */
export function queryOf(c: Context): Record<string, string | string[] | undefined> {
  if (!c.req.url.includes('?')) return {}
  const all = Object.entries(c.req.queries()).map(([name, values]) => [name, values.map(withoutNul)] as const)
  return Object.fromEntries(all.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

const limited = bodyLimit({ maxSize: MAX_BODY, onError: tooLarge })

/**
 * The body as JSON.
 * @throws Fault `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, or `VALIDATION_ERROR` for what is not JSON in UTF-8
 */
export async function jsonOf(c: Context): Promise<unknown> {
  await limited(c, async () => undefined)
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer())
    value = JSON.parse(text, text.includes('\\u0000') ? eachWithoutNul : undefined)
  } catch (cause) {
    throw invalidField('body', 'The request body is not valid JSON.', cause)
  }
  if (type === undefined) throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  return value
}

/** How much of a refused body is still read, in bytes: a caller that is sending would else not hear the answer. */
const MAX_DRAIN = 32 * 1024 * 1024

async function tooLarge(c: Context): Promise<never> {
  let drained = 0
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      drained += chunk.length
      if (drained > MAX_DRAIN) break
    }
  } catch {
    // Already read in part, or the caller is gone: there is nothing to wait for.
  }
  throw new Fault('PAYLOAD_TOO_LARGE')
}
