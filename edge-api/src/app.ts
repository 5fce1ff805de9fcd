import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isBusy, isUnreachable } from './db/errors.ts'
import { Fault } from './fault.ts'
import { handlers } from './handlers.ts'
import { clientAddress } from './http/client-address.ts'
import { docsPages } from './http/docs-page.ts'
import { pages } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { letterKeyPages, statusLists } from './letters/well-known.ts'
import { paymentCallbacks } from './payments/callbacks.ts'
import type { Ports } from './ports.ts'
import { type App, type Handler, serve, type Variables } from './serve.ts'

/** The whole portal as one Hono app: API below `/api`, pages and front ends beside it. */
export function createApp(ports: Ports): App {
  const app: App = new Hono<{ Variables: Variables }>()

  app.use(async (c, next) => {
    const started = performance.now()
    const database = ports.openDatabase()
    c.set('db', database)
    c.set('requestId', crypto.randomUUID())
    c.set('address', clientAddress(c, ports.environment.TRUST_PROXY))
    try {
      await next()
    } finally {
      database.close()
    }
    c.header('X-Request-Id', c.var.requestId)
    ports.log({
      level: c.res.status >= 500 ? 'error' : 'info',
      event: 'request',
      request_id: c.var.requestId,
      method: c.req.method,
      route: c.var.pattern ?? 'page',
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    })
  })
  app.use(securityHeaders(ports.environment))

  const api: App = new Hono<{ Variables: Variables }>()
  for (const [domain, table] of Object.entries(routes)) {
    for (const [name, route] of Object.entries(table)) serve(api, ports, route, handlerOf(domain, name))
  }
  paymentCallbacks(api, ports)
  docsPages(api, ports)
  statusLists(api, ports)
  refuseOtherMethods(api)
  app.route('/api', api)
  app.all('/api/*', () => {
    throw new Fault('NOT_FOUND')
  })
  letterKeyPages(app, ports)
  pages(app, ports)

  app.onError((error, c) => {
    const fault = faultOf(error)
    if (fault.status >= 500) {
      ports.log({
        level: 'error',
        event: 'fault',
        request_id: c.var.requestId,
        code: fault.code,
        cause: causeOf(error),
      })
    }
    if (fault.retryAfter !== undefined)
      c.header('Retry-After', String(Math.max(1, Math.ceil(fault.retryAfter))))
    c.header('X-Request-Id', c.var.requestId)
    c.header('Cache-Control', 'no-store')
    return c.json(fault.body(c.var.requestId), fault.status)
  })
  return app
}

/** The table's handlers are checked by `HandlersOf`; walking it at run time loses which route each belongs to. */
function handlerOf(domain: string, name: string): Handler<Route> {
  return (handlers as unknown as Record<string, Record<string, Handler<Route>>>)[domain]?.[
    name
  ] as Handler<Route>
}

function refuseOtherMethods(api: App): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of api.routes) {
    if (method === 'ALL') continue
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const [path, allowed] of methods) {
    api.all(path, c => {
      c.header('Allow', [...new Set(allowed)].join(', '))
      throw new Fault('METHOD_NOT_ALLOWED')
    })
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof HTTPException && error.status < 500) {
    return new Fault(error.status === 413 ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_ERROR', { cause: error })
  }
  if (isBusy(error) || isUnreachable(error))
    return new Fault('DATABASE_UNAVAILABLE', { cause: error, retryAfter: 1 })
  return new Fault('INTERNAL_ERROR', { cause: error })
}

/** Name and stack of what really happened, without the message: a driver's message can quote a row. */
function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Fault ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const frames =
    cause.stack
      ?.split('\n')
      .filter(line => /^\s+at /.test(line))
      .slice(0, 6) ?? []
  return [cause.name, ...frames.map(line => line.trim())].join(' | ')
}
