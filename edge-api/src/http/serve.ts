import { wantsCsv } from '@portal/contract/accept'
import type { ExpectedVersion } from '@portal/contract/if-match'
import type { BodyOut, CsvFile, CsvRow, ParamsOut, QueryOut, ReplyIn, Route } from '@portal/contract/route'
import { requestMessages } from '@portal/rules/messages'
import type { Context, Hono } from 'hono'
import type { Database } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import type { KeyPrincipal, Principal } from '../principal.ts'
import { requireAccess } from './access.ts'
import { clientAddressOf } from './client-address.ts'
import { type CsvRows, createCsvResponse, describeFilters } from './csv.ts'
import { etagHeader } from './etag.ts'
import { prepareFirstRead } from './first-read.ts'
import type { Guard } from './guard.ts'
import { emptyStream, isHead } from './head.ts'
import { parseInput } from './input.ts'
import { databaseFor } from './replica-routes.ts'
import { buildReplyHeaders, NO_STORE, VARY_ACCEPT } from './reply-headers.ts'
import { cacheEntryOf, type ResponseEntry } from './response-cache.ts'
import type { Variables } from './variables.ts'

export type App = Hono<{ Variables: Variables }>

/** One call of a route: parsed input, the caller, and everything that a handler may use. */
export interface Call<R extends Route = Route> {
  params: ParamsOut<R>
  query: QueryOut<R>
  body: BodyOut<R>
  /** The version that the caller wants to change (`If-Match`); undefined for any version. */
  expected: ExpectedVersion | undefined
  /** The logged-in account. Missing on public routes and on routes for API keys. */
  user: R['access'] extends 'public' | 'key' ? undefined : Principal
  /** The API key. Missing on routes that are not for API keys. */
  key: R['access'] extends 'key' ? KeyPrincipal : undefined
  db: Database
  ports: Ports
  requestId: string
  /** The client's IP address, according to `TRUST_PROXY`. */
  address: string
  header(name: string): string | undefined
  /** Headers that a handler adds to its response. */
  replyHeaders: Record<string, string> | undefined
  /**
   * Set by the handler of a GET whose response depends only on the caller, the address and the database, and not on the time.
   * The response may then be cached until the database changes.
   */
  isCacheable: boolean
  /** True for a HEAD request, which must not change anything and gets no body. */
  isHead: boolean
  /** The request itself, on routes whose handler reads a multipart body as it arrives. */
  request: R extends { readonly multipart: string } ? Request : undefined
}

/** The result of a handler: the reply or, if the contract has other media types for the route, a response in one of them. */
export type HandlerResult<R extends Route> = R extends { readonly media: readonly string[] }
  ? ReplyIn<R> | Response
  : ReplyIn<R>

/**
 * A function that handles a call. If the route's list can be exported as a CSV file, its property `csv` returns all rows in
 * batches.
 */
export type Handler<R extends Route> = ((call: Call<R>) => Promise<HandlerResult<R>>) &
  (R extends { readonly csv: CsvFile }
    ? { csv: Exporter<R>; hasOptionalColumns?: HasOptionalColumns<R> }
    : unknown)

/** Returns all rows that match the call's filter, in batches. The call's database stays open until the last batch. */
export type Exporter<R extends Route> = (call: Call<R>) => AsyncIterable<readonly CsvRow<R>[]>

/** Returns whether the CSV file contains its optional columns. */
type HasOptionalColumns<R extends Route> = (call: Call<R>) => Promise<boolean>

/** Combines a list's handler with its export. */
export const withCsv = <R extends Route & { readonly csv: CsvFile }>(
  handler: (call: Call<R>) => Promise<ReplyIn<R>>,
  csv: Exporter<R>,
  hasOptionalColumns?: HasOptionalColumns<R>,
): Handler<R> => Object.assign(handler, { csv, hasOptionalColumns }) as Handler<R>

/** The handlers of a domain, one for each route in the contract; a missing one is a compile error. */
export type HandlersOf<Domain extends Record<string, Route>> = {
  [Name in keyof Domain]: Handler<Domain[Name]>
}

/**
 * Returns Hono's pattern for a path of the contract. For a parameter followed by an extension (`{code}.pdf`), the value
 * includes the extension.
 */
const honoPath = (path: string) =>
  path.replace(/\{(\w+)\}(?:\.(\w+))?/g, (_, name: string, extension?: string) =>
    extension ? `:${name}{[^/]+\\.${extension}}` : `:${name}`,
  )

type RequestContext = Context<{ Variables: Variables }>

/**
 * Registers one route. For each call, it authenticates the caller, checks `access`, parses the input, runs the handler, parses
 * the reply (which removes everything that is not in the contract) and responds. All this is one handler, because each Hono
 * middleware costs a few microseconds per call.
 */
export function serve<R extends Route>(
  app: App,
  ports: Ports,
  guard: Guard,
  route: R,
  handler: Handler<R>,
): void {
  const { path, access, csv, record, status = 200 } = route
  const { reply: shape } = route
  let headers: Record<string, string> | undefined
  const jsonResponse = (c: RequestContext, text: string, extraHeaders?: Record<string, string>) => {
    // Created with the first response, because a worker registers all routes for each request.
    headers ??= buildReplyHeaders(ports.environment, route)
    c.set('hasAllHeaders', true)
    return new Response(text, {
      status,
      headers: { ...headers, ...extraHeaders, 'X-Request-Id': c.get('requestId') },
    })
  }
  // Set once a response of this route has been cached.
  let isCached = false
  const entryOf = (c: RequestContext): ResponseEntry | undefined =>
    cacheEntryOf(c.get('db').read, `${c.req.header('authorization')} ${c.req.url}`, ports.clock.now())
  app.on([route.method], [honoPath(path)], async c => {
    c.set('pattern', path)
    // A cached response needs no authentication: until the database changes, the same token or key identifies the same caller.
    const entry = isCached ? entryOf(c) : undefined
    if (entry?.cached) {
      const { text, key } = entry.cached
      if (key) await guard.countCall({ db: c.get('db'), ports }, setKeyVariables(c, key))
      return jsonResponse(c, text)
    }
    const firstRead = access === 'user' ? prepareFirstRead(handler, c.get('db'), ports) : undefined
    const earlyInput = firstRead && c.req.header('authorization') ? parseInput(c, route) : undefined
    const reads = firstRead && (await firstRead.forCall(earlyInput))
    const { principal, key, db } = await authorize(c, ports, guard, route, id => reads?.begin(id))
    const call: Call<R> = buildCall(c, ports, {
      user: principal,
      key,
      db,
      ...(await (earlyInput ?? parseInput(c, route))),
    })
    reads?.attachTo(call)
    if (csv && wantsCsv(c.req.header('accept')))
      return await exportCsv(c, ports, guard, route, csv, call, handler)
    const reply: unknown = await handler(call)
    if (reply instanceof Response) return toResponse(reply, status)
    const body = shape.parse(reply)
    const text = JSON.stringify(body)
    if (call.isCacheable) {
      isCached = true
      entry?.store({ text, until: key?.expiresAt ?? principal?.tokenExpiresAt ?? 0, key })
    }
    return jsonResponse(c, text, {
      ...(record !== undefined && etagHeader(body, record)),
      ...call.replyHeaders,
    })
  })
}

/** Completes a response that a handler has created. It must not be cached, unless the handler has set `Cache-Control`. */
function toResponse({ body, headers }: Response, status: number): Response {
  const response = new Response(body, { status, headers })
  if (!headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}

/**
 * Responds with the route's list as a CSV file, and logs the export. Uses its own database handle, because the request ends
 * before all rows have been sent.
 */
async function exportCsv<R extends Route>(
  c: RequestContext,
  ports: Ports,
  guard: Guard,
  route: R,
  file: CsvFile,
  call: Call<R>,
  handler: Handler<R>,
): Promise<Response> {
  const now = ports.clock.now()
  const day = file.namedAfter === undefined ? undefined : c.req.param(file.namedAfter)
  const db = await databaseFor(route, ports.openDatabase())
  const { csv, hasOptionalColumns } = exporterOf(handler)
  const optionalColumns = (await hasOptionalColumns?.(call)) ? (file.optional ?? []) : []
  const columns = [...file.columns, ...optionalColumns]
  const response = await createCsvResponse({ ...file, columns, day }, csv({ ...call, db }), {
    now,
    onEnd: () => db.close(),
    onError: () => ports.log({ level: 'error', event: 'export', request_id: call.requestId }),
  })
  const headers = { ...NO_STORE, ...response.headers, ...VARY_ACCEPT }
  if (call.isHead) {
    // Reading the first batch has made the same checks as for a GET. A HEAD request is not logged.
    await response.body.cancel()
    return new Response(emptyStream(), { headers })
  }
  const entry = {
    userId: call.user?.id ?? null,
    userEmail: call.user?.email ?? null,
    activity: `${file.title} exported`,
    details: describeFilters(c.req.query()),
    ipAddress: call.address,
    requestId: call.requestId,
    at: now,
  }
  try {
    await c.get('db').write(tx => guard.record(tx, entry))
  } catch (error) {
    // There must be no export without a log entry, so this ends the export and closes its resources.
    await response.body.cancel(error)
    throw error
  }
  return new Response(response.body, { headers })
}

/**
 * Returns the export that belongs to a handler. `Handler` requires one for every route with a CSV file, but for a generic route
 * the compiler cannot see that.
 */
const exporterOf = <R extends Route>(handler: Handler<R>) =>
  handler as unknown as { csv: (call: Call<R>) => CsvRows; hasOptionalColumns?: HasOptionalColumns<R> }

/**
 * Identifies the caller, checks its access, and chooses the database that the call reads from. Public routes ignore tokens, so
 * that a request with the token of an expired session still works.
 * @throws Fault `UNAUTHENTICATED`, `FORBIDDEN`, `SECOND_FACTOR_NOT_SET_UP`, or `RATE_LIMITED` for a key
 */
async function authorize(
  c: RequestContext,
  ports: Ports,
  guard: Guard,
  route: Route,
  onClaims: (userId: string) => void,
): Promise<{ principal: Principal | undefined; key: KeyPrincipal | undefined; db: Database }> {
  const { access, withoutSecondFactor } = route
  const db = c.get('db')
  if (access === 'public') return { principal: undefined, key: undefined, db }
  const authorization = c.req.header('authorization')
  if (access === 'key') {
    const address = clientAddressOf(c, ports.environment.TRUST_PROXY)
    const key = await guard.authenticateKey({ db, ports, authorization, address })
    await guard.countCall({ db, ports }, setKeyVariables(c, key))
    if (key.access === 'read' && route.method !== 'GET')
      throw new Fault('FORBIDDEN', { message: requestMessages.readOnlyKey })
    return { principal: undefined, key, db }
  }
  // Started here, so that the replica is prepared while the session is read from the primary.
  const databaseForCall = databaseFor(route, db)
  const principal = await guard.authenticate(
    db.read,
    authorization,
    ports.environment.JWT_SECRETS,
    ports.clock.now(),
    onClaims,
  )
  c.set('account', principal.id)
  requireAccess(principal, access)
  if (access !== 'user' && !withoutSecondFactor) await guard.requireSecondFactor(db.read, principal)
  return { principal, key: undefined, db: await databaseForCall }
}

/** Stores the key's ID for the log, and its mode for all responses, including errors such as `RATE_LIMITED`. */
function setKeyVariables(c: RequestContext, key: KeyPrincipal): KeyPrincipal {
  c.set('account', key.id)
  c.set('livemode', key.mode === 'live')
  return key
}

interface Input {
  user: Principal | undefined
  key: KeyPrincipal | undefined
  db: Database
  params: unknown
  query: unknown
  expected: ExpectedVersion | undefined
  body: unknown
}

/** Builds the typed call from parsed values. The type assertion is safe, because the route's own schemas parsed them. */
function buildCall<R extends Route>(c: RequestContext, ports: Ports, input: Input): Call<R> {
  return {
    ...input,
    ports,
    requestId: c.get('requestId'),
    // Not a getter, because V8 would create and retain a separate shape for each object that has one.
    address: clientAddressOf(c, ports.environment.TRUST_PROXY),
    header: (name: string) => c.req.header(name),
    replyHeaders: undefined,
    isCacheable: false,
    isHead: isHead(c),
    request: c.req.raw,
  } as Call<R>
}
