import type { Schema } from './schema.ts'

/** One call of the API as sent over the network: its request and response. */
export interface Call {
  /** The name of the call in the contract, such as `auth.login`. */
  readonly name: string
  readonly method: string
  /** The path below `/api`, with the names of its parameters. */
  readonly path: string
  readonly access: string
  /** If the call is deprecated: what replaces it, and since when. */
  readonly deprecated?: string
  /** The path parameters in order. */
  readonly params: readonly Schema[]
  /** The query parameters; absent if the call has none. */
  readonly query?: Schema
  readonly body?: Schema
  /** The fields of a multipart form. */
  readonly form?: Schema
  /** The body of a JSON response; absent if the call only returns a file. */
  readonly reply?: Schema
  /** The media types of the response other than JSON, sorted. */
  readonly media: readonly string[]
}

/** A description of one version of the API. The keys are method and path, with `{}` for each parameter: `GET /letters/{}`. */
export interface Description {
  readonly codes: readonly string[]
  readonly calls: Readonly<Record<string, Call>>
}

type Json = Record<string, unknown>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toRecord = (value: unknown): Json => (isRecord(value) ? value : {})
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns the key of a call: its method and path, without the names of parameters. */
export const callKey = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/** Returns whether this is the bound that zod gives to every integer, which restricts nothing. */
const isDefaultBound = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
/** Keywords that only document a schema, and `default`: properties with a default are not in `required`. */
const ignoredKeywords = new Set(['description', 'default', '$schema', 'format', 'title'])

/** Reduces a schema to what clients depend on. The list of all error codes is replaced with `catalogue`. */
function simplify(schema: unknown, codes: ReadonlySet<string>): Schema {
  if (!isRecord(schema)) return {}
  const values = toList(schema.enum)
  if (codes.size > 0 && values.length === codes.size && values.every(value => codes.has(toText(value))))
    return { type: 'string', catalogue: true }
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (ignoredKeywords.has(key)) return []
    if ((key === 'minimum' || key === 'maximum') && isDefaultBound(value)) return []
    if (key === 'properties') {
      const properties = Object.entries(toRecord(value)).map(
        ([name, property]) => [name, simplify(property, codes)] as const,
      )
      return [[key, Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))]]
    }
    if (key === 'required') return [[key, [...toList(value)].sort()]]
    if (Array.isArray(value) && value.every(isRecord))
      return [[key, value.map(item => simplify(item, codes))]]
    return [[key, isRecord(value) ? simplify(value, codes) : value]]
  })
  // The parser may return further keywords, but the contract only uses those in `Schema`.
  return Object.fromEntries(entries) as Schema
}

/** Returns the parameters of a path, in their order in the path. */
function readPathParams(path: string, parameters: readonly Json[], codes: ReadonlySet<string>): Schema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return names.map(name => {
    const found = parameters.find(parameter => parameter.in === 'path' && parameter.name === name)
    return simplify(found?.schema, codes)
  })
}

function readQuery(parameters: readonly Json[], codes: ReadonlySet<string>): Schema | undefined {
  const queryParameters = parameters.filter(parameter => parameter.in === 'query')
  if (queryParameters.length === 0) return undefined
  return simplify(
    {
      type: 'object',
      properties: Object.fromEntries(
        queryParameters.map(parameter => [toText(parameter.name), parameter.schema]),
      ),
      required: queryParameters.filter(item => item.required === true).map(item => toText(item.name)),
    },
    codes,
  )
}

function toCall(method: string, path: string, operation: Json, codes: ReadonlySet<string>): Call {
  const parameters = toList(operation.parameters).map(toRecord)
  const request = toRecord(toRecord(operation.requestBody).content)
  const responses = Object.entries(toRecord(operation.responses))
  const response = toRecord(toRecord(responses.find(([status]) => /^2/.test(status))?.[1]).content)
  const schemaAt = (content: Json, type: string) =>
    isRecord(content[type]) ? simplify(toRecord(content[type]).schema, codes) : undefined
  const query = readQuery(parameters, codes)
  const body = schemaAt(request, 'application/json')
  const form = schemaAt(request, 'multipart/form-data')
  const reply = schemaAt(response, 'application/json')
  return {
    name: toText(operation.operationId),
    method,
    path,
    access: /Access: (\w+)\./.exec(toText(operation.description))?.[1] ?? '',
    ...(operation.deprecated === true && {
      deprecated: /Deprecated: (.+)$/.exec(toText(operation.description))?.[1] ?? '',
    }),
    params: readPathParams(path, parameters, codes),
    ...(query && { query }),
    ...(body && { body }),
    ...(form && { form }),
    ...(reply && { reply }),
    media: Object.keys(response)
      .filter(type => type !== 'application/json')
      .sort(),
  }
}

/**
 * Returns the calls in an OpenAPI document, whether generated from this source tree or served by a running portal.
 * @throws if it describes none
 */
export function describe(openApi: unknown): Description {
  const { paths, components } = toRecord(openApi)
  const error = toRecord(toRecord(toRecord(toRecord(components).schemas).Error).properties)
  const codes = toList(toRecord(error.code).enum).map(toText).sort()
  const calls = Object.entries(toRecord(paths)).flatMap(([path, methods]) =>
    Object.entries(toRecord(methods)).map(([method, operation]) =>
      toCall(method.toUpperCase(), path, toRecord(operation), new Set(codes)),
    ),
  )
  if (calls.length === 0) throw new Error('This is not a description of the API: it describes no calls.')
  const callEntries = calls.map(call => [callKey(call.method, call.path), call] as const)
  return { codes, calls: Object.fromEntries(callEntries.sort(([a], [b]) => (a < b ? -1 : 1))) }
}
