import { wantsCsv } from '@portal/contract/accept'
import type { ErrorCode } from '@portal/contract/errors'
import { type ExpectedVersion, etagOf } from '@portal/contract/if-match'
import { requestIdOf } from '@portal/contract/request-id'
import type {
  BodyOut,
  CsvFile,
  ParamsOut,
  QueryOut,
  ReplyIn,
  Route,
  SessionAccess,
} from '@portal/contract/route'
import type { Role } from '@portal/contract/shapes'
import { type CsvValue, csvLine, csvRecord } from '@portal/format/csv'
import { toIsoDate } from '@portal/format/dates'
import { type DefaultBodyType, type HttpHandler, HttpResponse, http } from 'msw'
import { expireOverdue } from './complete-payment.ts'
import { Fault } from './fault.ts'
import { newId } from './ids.ts'
import {
  expectedVersionOf,
  parse,
  readFile,
  readJson,
  readQuery,
  type UploadedFile,
} from './parse-request.ts'
import type { MockState, MockUser, Store } from './state.ts'
import { parseSessionId } from './token.ts'

/** A call as a handler receives it: the parsed input, the caller, and the state, which it may change. */
export interface Call<R extends Route = Route> {
  params: ParamsOut<R>
  query: QueryOut<R>
  body: BodyOut<R>
  /** The version that the caller expects (`If-Match`); undefined if any version is accepted. */
  expected: ExpectedVersion | undefined
  /** The signed-in account; undefined on public routes. */
  user: R['access'] extends 'public' | 'key' ? undefined : MockUser
  /** ID of the caller's session; empty on public routes. */
  sid: string
  state: MockState
  now: Date
  /** The file of a multipart body, if any. */
  file: UploadedFile | undefined
  /** The `Accept` header, which lists the accepted media types. */
  accept: string
  /** The call's `Idempotency-Key`, if any. */
  idempotencyKey: string | undefined
  /** Set to true if the request repeats an earlier one with that key. */
  replayed: boolean
}

/** Handles a call. Returns the reply, or a response in another media type that the contract allows. */
export type Handler<R extends Route> = (
  call: Call<R>,
) => R extends { readonly media: readonly string[] } ? ReplyIn<R> | HttpResponse<DefaultBodyType> : ReplyIn<R>

/** A handler for each route of a domain; a missing handler is a compile error. */
export type HandlersOf<Domain extends Record<string, Route>> = {
  [Name in keyof Domain]: Handler<Domain[Name]>
}

const RANK: Record<Exclude<SessionAccess, 'public'> | Role, number> = { user: 1, admin: 2, super_admin: 3 }

function authenticate(state: MockState, request: Request, access: Route['access'], now: Date) {
  // The mocks accept no API keys, because test mode simulates the routes for keys.
  if (access === 'key') throw new Fault('UNAUTHENTICATED')
  if (access === 'public') return { user: undefined, sid: '' }
  const sid = parseSessionId(request.headers.get('authorization'))
  const session = state.sessions.find(item => item.sid === sid && item.expires_at > now.toISOString())
  const user = state.users.find(item => item.id === session?.user_id && item.is_enabled)
  if (!session || !user) throw new Fault('UNAUTHENTICATED')
  if (RANK[user.role] < RANK[access]) throw new Fault('FORBIDDEN')
  return { user, sid: session.sid }
}

/** Casts the parts to a typed call; the route's schemas have parsed them. This is the only such cast. */
const callOf = <R extends Route>(parts: { [K in keyof Call]: unknown }) => parts as unknown as Call<R>

/** Returns the MSW pattern for a contract path, on any origin. */
const patternOf = (path: string) => `*/api${path.replace(/\{(\w+)\}/g, ':$1')}`

/** True if the path ends in a slash; MSW would match `/health/` to `/health`, but the API does not. */
const endsInSlash = ({ url }: Request) => new URL(url).pathname.endsWith('/')

const verbs = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete }

function errorResponse(error: unknown, requestId: string) {
  // Anything but a Fault is a bug in the mocks: log it, and answer with a server error.
  if (!(error instanceof Fault)) console.error(error)
  const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
  return HttpResponse.json(fault.body(requestId), {
    status: fault.status,
    headers: { 'X-Request-Id': requestId },
  })
}

/** Flattens nested fields, such as `{user: {email}}` to `{user_email}`, which is how the columns of CSV files are named. */
function flatten(record: Record<string, unknown>, prefix = ''): Record<string, CsvValue> {
  const entries = Object.entries(record).map(([name, value]): Record<string, CsvValue> => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return flatten({ ...value }, `${prefix}${name}_`)
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return { [prefix + name]: plain ? value : null }
  })
  return Object.assign({}, ...entries)
}

/** Converts the reply with a list to the CSV file that the API would send. */
function csvResponse(
  csv: CsvFile,
  reply: unknown,
  { now, day = toIsoDate(now), requestId }: { now: Date; day?: string | undefined; requestId: string },
) {
  const list: readonly Record<string, unknown>[] = Object.values(Object(reply)).find(Array.isArray) ?? []
  const rows = list.map(row => flatten(row))
  const { optional = [] } = csv
  // If any row has an optional part, such as an organisation, the file has its columns.
  const hasColumn = (row: object, column: string) =>
    Object.keys(row).some(name => name === column || column.startsWith(`${name}_`))
  const optionalColumns = rows.some(row => optional.some(column => hasColumn(row, column))) ? optional : []
  const columns = [...csv.columns, ...optionalColumns]
  const lines = rows.map(row => csvRecord(row, { ...csv, columns }))
  return new HttpResponse([csvLine(columns), ...lines].join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${csv.file}_${day}.csv"`,
      'X-Request-Id': requestId,
    },
  })
}

/** Returns the value of a settled promise, or throws its error. */
function valueOrThrow<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/**
 * Creates the handler of one route, which works as in the API: it checks the session and the access, parses the input, calls
 * `handler` and parses its reply.
 */
export function serve<R extends Route>(store: Store, route: R, handler: Handler<R>): HttpHandler {
  return verbs[route.method](patternOf(route.path), async ({ request, params }) => {
    if (endsInSlash(request)) return undefined
    const requestId = requestIdOf(request.headers.get('x-request-id'))
    // Read the body before the state; otherwise, changes that another call makes while the body is read would be lost.
    const [bodyRead, fileRead] = await Promise.allSettled([
      route.body && readJson(request, { optional: route.body.isOptional() }),
      readFile(request, route.multipart),
    ])
    const now = new Date()
    try {
      const state = store.read()
      expireOverdue(state, now)
      const csv = wantsCsv(request.headers.get('accept') ?? '') ? route.csv : undefined
      const caller = authenticate(state, request, route.access, now)
      const pathParams = parse(route.params, params)
      const query = parse(route.query, readQuery(request))
      const call = callOf<R>({
        ...caller,
        params: pathParams,
        // A CSV file contains the whole list, whatever page was requested.
        query: csv ? { ...Object(query), page: 1, per_page: Number.MAX_SAFE_INTEGER } : query,
        expected: route.ifMatch && expectedVersionOf(request.headers.get('if-match')),
        body: parse(route.body, valueOrThrow(bodyRead)),
        state,
        now,
        file: valueOrThrow(fileRead),
        accept: request.headers.get('accept') ?? '',
        idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
        replayed: false,
      })
      const reply: unknown = handler(call)
      // Not `instanceof Response`, because a server in this process may have replaced the global class.
      const parsed = reply instanceof HttpResponse ? reply : route.reply.parse(reply)
      store.write(state)
      if (reply instanceof HttpResponse) {
        reply.headers.set('X-Request-Id', requestId)
        return reply
      }
      const day = csv?.namedAfter === undefined ? undefined : String(params[csv.namedAfter])
      if (csv) return csvResponse(csv, parsed, { now, day, requestId })
      return HttpResponse.json(JSON.parse(JSON.stringify(parsed)), {
        status: route.status ?? 200,
        headers: {
          'X-Request-Id': requestId,
          ...etagHeader(route, parsed),
          ...(call.replayed && { 'Idempotent-Replayed': 'true' }),
        },
      })
    } catch (error) {
      return errorResponse(error, requestId)
    }
  })
}

/** Returns the `ETag` header for a reply with one record. */
function etagHeader({ record }: Route, reply: unknown): Record<string, string> {
  if (record === undefined) return {}
  const { version } = Object(record === '' ? reply : Object(reply)[record])
  return version === undefined ? {} : { ETag: etagOf(version) }
}

/** Answers unknown paths below `/api`, as the API does. */
export const unknownRoute = http.all('*/api/*', () => errorResponse(new Fault('NOT_FOUND'), newId()))

/** Answers unsupported methods on a known path, as the API does. Must be registered after all routes. */
export const unsupportedMethod = (path: string): HttpHandler =>
  http.all(patternOf(path), ({ request }) =>
    endsInSlash(request) ? undefined : errorResponse(new Fault('METHOD_NOT_ALLOWED'), newId()),
  )

/** Returns a handler that makes one route fail, for `server.use(…)`, so that the error can be seen or tested on a screen. */
export function failingHandler(route: Pick<Route, 'method' | 'path'>, code: ErrorCode): HttpHandler {
  return verbs[route.method](patternOf(route.path), () => errorResponse(new Fault(code), newId()))
}

/** Returns a handler that makes every call of the API fail. */
export const failingHandlerForAll = (code: ErrorCode): HttpHandler =>
  http.all('*/api/*', () => errorResponse(new Fault(code), newId()))
