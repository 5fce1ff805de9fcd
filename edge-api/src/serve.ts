import { zValidator } from '@hono/zod-validator'
import { plainMessage } from '@portal/contract/plain-message'
import type { BodyOut, CsvFile, CsvRow, ParamsOut, QueryOut, ReplyIn, Route } from '@portal/contract/route'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { authenticate, type Principal, requireAccess } from './auth/principal.ts'
import { requireSecondFactor } from './auth/second-factor-demand.ts'
import type { Database } from './db/database.ts'
import { Fault } from './fault.ts'
import { type CsvRows, csvAnswer, wantsCsv } from './http/csv.ts'

import { record } from './logs/store.ts'
import type { Ports } from './ports.ts'

/** What every request carries, set by the first middleware of `createApp`. */
export interface Variables {
  db: Database
  requestId: string
  /** The client's IP address, as far as `TRUST_PROXY` allows it to be believed. */
  address: string
  principal?: Principal
  /** Set for pages whose address holds a secret: they send no Referer at all. */
  privatePage?: boolean
  /** Pattern of the route, for the log: never the path itself, which may hold ids and tokens. */
  pattern?: string
}

export type App = Hono<{ Variables: Variables }>

/** One call of a route: parsed input, who asks, and everything that a handler may use. */
export interface Call<R extends Route = Route> {
  params: ParamsOut<R>
  query: QueryOut<R>
  body: BodyOut<R>
  /** The signed-in account; a public route has none. */
  user: R['access'] extends 'public' ? undefined : Principal
  db: Database
  ports: Ports
  requestId: string
  address: string
  header(name: string): string | undefined
  /** The request itself, where the handler reads a multipart body as it arrives. */
  request: R extends { readonly multipart: string } ? Request : undefined
}

/** What a handler gives: the reply, or where the contract names other media types, an answer in one of them. */
type Given<R extends Route> = R extends { readonly media: readonly string[] }
  ? ReplyIn<R> | Response
  : ReplyIn<R>

/** Answers a call; where the route's list is a CSV file too, `csv` gives all its rows, in batches. */
export type Handler<R extends Route> = ((call: Call<R>) => Promise<Given<R>>) &
  (R extends { readonly csv: CsvFile } ? { csv: Exporter<R> } : unknown)

/** Rows of the whole filter, read a batch at a time from a database that stays open until the last. */
export type Exporter<R extends Route> = (call: Call<R>) => AsyncIterable<readonly CsvRow<R>[]>

/** A list's handler together with its export. */
export const withCsv = <R extends Route & { readonly csv: CsvFile }>(
  handler: (call: Call<R>) => Promise<ReplyIn<R>>,
  csv: Exporter<R>,
): Handler<R> => Object.assign(handler, { csv }) as Handler<R>

/** A handler for each entry of a domain of the contract; a missing one does not compile. */
export type HandlersOf<Domain extends Record<string, Route>> = {
  [Name in keyof Domain]: Handler<Domain[Name]>
}

/** Largest JSON body accepted, in bytes. */
const MAX_BODY = 256 * 1024

/** Hono’s pattern for a path of the contract; a parameter with an ending (`{code}.pdf`) arrives with it. */
const honoPath = (path: string) =>
  path.replace(/\{(\w+)\}(?:\.(\w+))?/g, (_, name: string, ending?: string) =>
    ending ? `:${name}{[^/]+\\.${ending}}` : `:${name}`,
  )

/**
 * Registers one route: authenticates, checks `access`, parses the input, runs the handler, parses the reply (which
 * strips whatever the contract does not name) and answers.
 */
export function serve<R extends Route>(app: App, ports: Ports, route: R, handler: Handler<R>): void {
  const path = honoPath(route.path)
  const steps: MiddlewareHandler<{ Variables: Variables }>[] = [guard(ports, route)]
  if (route.params) steps.push(zValidator('param', route.params, refuseInvalid, inPlainWords))
  if (route.query) steps.push(zValidator('query', route.query, refuseInvalid, inPlainWords))
  if (route.body) {
    steps.push(
      bodyLimit({ maxSize: MAX_BODY, onError: tooLarge }),
      readJson,
      zValidator('json', route.body, refuseInvalid, inPlainWords),
    )
  }
  app.on([route.method], [path], ...steps, async c => {
    if (route.csv) {
      c.header('Vary', 'Accept', { append: true })
      if (wantsCsv(c.req.header('accept'))) return await exported(c, ports, route.csv, handler)
    }
    const reply: unknown = await handler(callOf<R>(c, ports))
    if (reply instanceof Response)
      return c.newResponse(reply.body, route.status ?? 200, Object.fromEntries(reply.headers))
    return c.json(route.reply.parse(reply) as object, route.status ?? 200)
  })
}

/** The route's list as a file; who took it is logged. Its database outlives the request, which ends before the rows. */
async function exported<R extends Route>(
  c: Context<{ Variables: Variables }>,
  ports: Ports,
  file: CsvFile,
  handler: Handler<R>,
): Promise<Response> {
  const db = ports.openDatabase()
  const call = { ...callOf<R>(c, ports), db }
  const now = ports.clock.now()
  const answer = await csvAnswer(file, exporterOf(handler)(call), {
    now,
    onEnd: () => db.close(),
    onError: () => ports.log({ level: 'error', event: 'export', request_id: call.requestId }),
  })
  await c.var.db.write(tx =>
    record(tx, {
      userId: c.var.principal?.id ?? null,
      userEmail: c.var.principal?.email ?? null,
      activity: `${file.title} exported`,
      ipAddress: call.address,
      requestId: call.requestId,
      at: now,
    }),
  )
  return c.body(answer.body, 200, answer.headers)
}

/** `Handler` holds every route with a CSV file to an export; for a route of unknown type the compiler cannot see it. */
const exporterOf = <R extends Route>(handler: Handler<R>) =>
  (handler as unknown as { csv: (call: Call<R>) => CsvRows }).csv

function guard(
  ports: Ports,
  { access, path, withoutSecondFactor }: Route,
): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    c.set('pattern', path)
    c.header('Cache-Control', 'no-store')
    // A dead token on a public route is ignored.
    if (access !== 'public') {
      const principal = await authenticate(
        c.var.db.read,
        c.req.header('authorization'),
        ports.environment.JWT_SECRETS,
        ports.clock.now(),
      )
      requireAccess(principal, access)
      if (access !== 'user' && !withoutSecondFactor) await requireSecondFactor(c.var.db.read, principal)
      c.set('principal', principal)
    }
    await next()
  }
}

/** Refuses what is not JSON in UTF-8, before the validator would take it for an empty object. */
const readJson: MiddlewareHandler = async (c, next) => {
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer()))
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault('VALIDATION_ERROR', { message: 'The request body is not valid JSON.', cause })
  }
  if (type === undefined) throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  await next()
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

/** Where the contract has no words of its own for a mistake, the library's would leave. */
const inPlainWords = {
  validationFunction: (schema: z.ZodType, value: unknown) =>
    schema.safeParseAsync(value, { error: plainMessage }),
}

type Parsed = { success: true } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } }

function refuseInvalid(result: Parsed): void {
  if (result.success) return
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw new Fault('VALIDATION_ERROR', { fields })
}

/** The one place where Hono's loosely typed values become a typed call: the validators above parsed them. */
function callOf<R extends Route>(c: Context<{ Variables: Variables }>, ports: Ports): Call<R> {
  const valid = (target: 'param' | 'query' | 'json') => c.req.valid(target as never) as unknown
  return {
    params: valid('param'),
    query: valid('query'),
    body: valid('json'),
    user: c.var.principal,
    db: c.var.db,
    ports,
    requestId: c.var.requestId,
    address: c.var.address,
    header: (name: string) => c.req.header(name),
    request: c.req.raw,
  } as Call<R>
}
