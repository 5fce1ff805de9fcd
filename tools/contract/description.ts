import type { Schema } from './schema.ts'

/** One call of the API as it travels: what a client may send, and what comes back. */
export interface Call {
  /** Its name in the contract, `auth.login`. */
  readonly name: string
  readonly method: string
  /** Below `/api`, with its parameters' names. */
  readonly path: string
  readonly access: string
  /** What to call instead, and since when, where it will go. */
  readonly deprecated?: string
  /** Parameters of the path, in their order. */
  readonly params: readonly Schema[]
  /** Absent: none is read. */
  readonly query?: Schema
  readonly body?: Schema
  /** A multipart form. */
  readonly form?: Schema
  /** Absent: the answer is a file alone. */
  readonly reply?: Schema
  /** Media types that the answer may have besides JSON, sorted. */
  readonly media: readonly string[]
}

/** The API at one time. Calls are found by method and path, `{}` for each parameter: `GET /letters/{}`. */
export interface Description {
  readonly codes: readonly string[]
  readonly calls: Readonly<Record<string, Call>>
}

type Json = Record<string, unknown>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const record = (value: unknown): Json => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Method and path of a call, whatever its parameters are called. */
export const callKey = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/** Bounds of whole numbers that say nothing. */
const isNoBound = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
/** For people alone, or said by `required`. */
const unread = new Set(['description', 'default', '$schema', 'format', 'title'])

/** A schema without what nothing depends on; the list of all error codes as `catalogue`. */
function tidy(schema: unknown, codes: ReadonlySet<string>): Schema {
  if (!isRecord(schema)) return {}
  const words = list(schema.enum)
  if (codes.size > 0 && words.length === codes.size && words.every(word => codes.has(text(word))))
    return { type: 'string', catalogue: true }
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (unread.has(key)) return []
    if ((key === 'minimum' || key === 'maximum') && isNoBound(value)) return []
    if (key === 'properties') {
      const named = Object.entries(record(value)).map(([name, each]) => [name, tidy(each, codes)] as const)
      return [[key, Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))]]
    }
    if (key === 'required') return [[key, [...list(value)].sort()]]
    if (Array.isArray(value) && value.every(isRecord)) return [[key, value.map(each => tidy(each, codes))]]
    return [[key, isRecord(value) ? tidy(value, codes) : value]]
  })
  // The parser of the description gives every keyword it knows; `Schema` names those that the contract makes use of.
  return Object.fromEntries(entries) as Schema
}

/** A path as it must be sent: its parameters stand in the order of the path. */
function paramsOf(path: string, parameters: readonly Json[], codes: ReadonlySet<string>): Schema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return names.map(name => {
    const found = parameters.find(each => each.in === 'path' && each.name === name)
    return tidy(found?.schema, codes)
  })
}

function queryOf(parameters: readonly Json[], codes: ReadonlySet<string>): Schema | undefined {
  const own = parameters.filter(each => each.in === 'query')
  if (own.length === 0) return undefined
  return tidy(
    {
      type: 'object',
      properties: Object.fromEntries(own.map(each => [text(each.name), each.schema])),
      required: own.filter(each => each.required === true).map(each => text(each.name)),
    },
    codes,
  )
}

function callOf(method: string, path: string, operation: Json, codes: ReadonlySet<string>): Call {
  const parameters = list(operation.parameters).map(record)
  const request = record(record(operation.requestBody).content)
  const responses = Object.entries(record(operation.responses))
  const answer = record(record(responses.find(([status]) => /^2/.test(status))?.[1]).content)
  const schemaAt = (content: Json, type: string) =>
    isRecord(content[type]) ? tidy(record(content[type]).schema, codes) : undefined
  const query = queryOf(parameters, codes)
  const body = schemaAt(request, 'application/json')
  const form = schemaAt(request, 'multipart/form-data')
  const reply = schemaAt(answer, 'application/json')
  return {
    name: text(operation.operationId),
    method,
    path,
    access: /Access: (\w+)\./.exec(text(operation.description))?.[1] ?? '',
    ...(operation.deprecated === true && {
      deprecated: /Deprecated: (.+)$/.exec(text(operation.description))?.[1] ?? '',
    }),
    params: paramsOf(path, parameters, codes),
    ...(query && { query }),
    ...(body && { body }),
    ...(form && { form }),
    ...(reply && { reply }),
    media: Object.keys(answer)
      .filter(type => type !== 'application/json')
      .sort(),
  }
}

/**
 * What an OpenAPI description of this API says of its calls: of the sources, or of a portal that runs.
 * @throws when it describes none
 */
export function describe(openApi: unknown): Description {
  const { paths, components } = record(openApi)
  const error = record(record(record(record(components).schemas).Error).properties)
  const codes = list(record(error.code).enum).map(text).sort()
  const calls = Object.entries(record(paths)).flatMap(([path, methods]) =>
    Object.entries(record(methods)).map(([method, operation]) =>
      callOf(method.toUpperCase(), path, record(operation), new Set(codes)),
    ),
  )
  if (calls.length === 0) throw new Error('This is no description of the API: it names no call.')
  const keyed = calls.map(call => [callKey(call.method, call.path), call] as const)
  return { codes, calls: Object.fromEntries(keyed.sort(([a], [b]) => (a < b ? -1 : 1))) }
}
