import type { BodyIn, ParamsIn, QueryIn, Route } from '@portal/contract/route'

type Field<K extends string, V> = [V] extends [undefined]
  ? { [P in K]?: undefined }
  : Partial<V> extends V
    ? { [P in K]?: V }
    : { [P in K]: V }

type Body<R extends Route> =
  undefined extends BodyIn<R> ? { body?: BodyIn<R> | FormData } : { body: BodyIn<R> | FormData }

/** Input for a call of `R`; params, query and body are required if the route requires them. */
export type CallInput<R extends Route> = Field<'params', ParamsIn<R>> & Field<'query', QueryIn<R>> & Body<R>

export interface CallOptions {
  /** Cancels the call when aborted; the timeout applies as well. */
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
}

/** Untyped input for a call, as used by the code that sends it. */
export interface Input extends CallOptions {
  params?: unknown
  query?: unknown
  body?: unknown
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

function fillPath(path: string, params: unknown): string {
  const values = new Map(entriesOf(params))
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === null || value === '') throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
}

function toQueryString(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of entriesOf(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      // Empty filters are dropped (specification, section 5).
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}

/** Builds the URL: the base, the path with encoded parameters, and the query without empty filters. */
export function buildUrl(
  route: Pick<Route, 'path'>,
  input: Pick<Input, 'params' | 'query'>,
  base = '/api',
): string {
  return base + fillPath(route.path, input.params) + toQueryString(input.query)
}

/**
 * Returns headers with a new ID, which identifies the request in the server's log and starts its trace (W3C Trace Context).
 * `crypto.randomUUID` is available only in secure contexts, and the portal may be tried out over plain HTTP on a local network.
 */
function newTraceHeaders(): Record<string, string> {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Set the bits of a version 4 UUID (RFC 9562).
  const hex = Array.from(bytes, (byte, index) =>
    index === 6 ? (byte & 15) | 64 : index === 8 ? (byte & 63) | 128 : byte,
  )
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { 'x-request-id': id, traceparent: `00-${hex}-${hex.slice(16)}-01` }
}

/** Builds the `fetch` options. FormData is sent as multipart, everything else as JSON (which drops `undefined`). */
export function buildRequestInit(
  route: Pick<Route, 'method'>,
  input: Input,
  token: string | undefined,
): RequestInit & { headers: Headers } {
  const headers = new Headers({
    accept: 'application/json',
    ...newTraceHeaders(),
    ...input.headers,
  })
  if (token) headers.set('authorization', `Bearer ${token}`)
  const init = { method: route.method, headers, credentials: 'omit' as const }
  if (input.body === undefined) return init
  if (input.body instanceof FormData) return { ...init, body: input.body }
  headers.set('content-type', 'application/json')
  return { ...init, body: JSON.stringify(input.body) }
}
