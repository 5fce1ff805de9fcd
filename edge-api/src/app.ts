import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { requestIdOf } from '@portal/contract/request-id'
import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { keyRoutes } from '@portal/contract/v1'
import { type Context, Hono, type Next } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { authenticate } from './accounts/authenticate.ts'
import { requireSecondFactor } from './accounts/second-factor-demand.ts'
import { causeOf } from './cause.ts'
import { isBusy, isUnreachable } from './db/errors.ts'
import { workDisputes } from './disputes/queue.ts'
import { Fault } from './fault.ts'
import { overridePages } from './front-ends/override-page.ts'
import { handlers, keyHandlers } from './handlers.ts'
import { metricsPage } from './health/metrics-page.ts'
import { isOpen, openToEveryOrigin, preflight } from './http/cross-origin.ts'
import { docsPages } from './http/docs-page.ts'
import { answerHead, isHead } from './http/head.ts'
import { pages } from './http/pages.ts'
import { currentRequestId, underRequestId } from './http/request-id.ts'
import { securityHeaders } from './http/security-headers.ts'
import { type App, type Guard, type Handler, serve } from './http/serve.ts'
import type { Variables } from './http/variables.ts'
import { vocabularyPage } from './letters/vocabulary.ts'
import { letterKeyPages, statusLists } from './letters/well-known.ts'
import { record } from './logs/store.ts'
import { authenticateKey } from './organisation-keys/authenticate.ts'
import { paymentCallbacks } from './payments/callbacks.ts'
import type { Ports } from './ports.ts'
import { publicSettings } from './settings/public-settings.ts'
import { inSpan, parentOf } from './telemetry.ts'

const guard: Guard = { authenticate, authenticateKey, requireSecondFactor, record }

/** The whole portal as one Hono app: API below `/api`, with pages and front ends. */
export function createApp(ports: Ports): App {
  const app: App = new Hono<{ Variables: Variables }>()
  answerHead(app)

  const protect = securityHeaders(ports.environment)
  app.use((c, next) =>
    underRequestId(requestIdOf(c.req.header('x-request-id')), () =>
      ports.environment.OTEL_EXPORTER_OTLP_ENDPOINT ? traced(c, next) : answered(c, next),
    ),
  )
  const traced = (c: Context<{ Variables: Variables }>, next: Next): Promise<void> =>
    inSpan('request', { kind: SpanKind.SERVER, parent: parentOf(c.req.raw.headers) }, async span => {
      await answered(c, next)
      const route = c.get('pattern') || 'page'
      span.updateName(`${c.req.method} ${route}`)
      const { status } = c.res
      span.setAttributes({
        'http.request.method': c.req.method,
        'http.route': route,
        'http.response.status_code': status,
        'portal.request_id': c.get('requestId'),
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    })
  async function answered(c: Context<{ Variables: Variables }>, next: Next): Promise<void> {
    const started = performance.now()
    const requestId = currentRequestId() ?? ''
    c.set('requestId', requestId)
    const database = ports.openDatabase()
    c.set('db', database)
    try {
      await next()
    } finally {
      database.close()
    }
    const pattern = c.get('pattern') ?? ''
    const { status } = c.res
    if (!c.get('whole')) {
      const { headers } = c.res
      const [remoteOrigins, socketOrigin] = [c.get('remoteOrigins'), c.get('socketOrigin')]
      protect(headers, pattern, { privatePage: c.get('privatePage'), remoteOrigins, socketOrigin })
      headers.set('X-Request-Id', requestId)
      if (isOpen(c.req.path)) openToEveryOrigin(headers)
    }
    const method = isHead(c) ? 'HEAD' : c.req.method
    const route = pattern || 'page'
    const ms = performance.now() - started
    const isFailure = status >= 500 && !c.get('simulated')
    if (!c.get('simulated')) ports.metrics.request({ method, route, status, seconds: ms / 1000 })
    ports.log({
      level: isFailure ? 'error' : 'info',
      event: 'request',
      request_id: requestId,
      method,
      route,
      status,
      // Logs refused calls, so that attempts at unauthorised access can be traced.
      ...(c.get('refused') && { code: c.get('refused'), account: c.get('account') }),
      ms: Math.round(ms * 10) / 10,
    })
  }

  app.options('*', async (c, next) => (isOpen(c.req.path) ? preflight() : await next()))

  const api: App = new Hono<{ Variables: Variables }>()
  for (const [domain, table] of Object.entries({ ...routes, ...keyRoutes })) {
    for (const [name, route] of Object.entries(table))
      serve(api, ports, guard, route, handlerOf(domain, name))
  }
  paymentCallbacks(api, ports, { workDisputes })
  docsPages(api, ports)
  metricsPage(api, ports)
  statusLists(api, ports)
  vocabularyPage(api, ports)
  refuseOtherMethods(api)
  app.route('/api', api)
  app.all('/api/*', () => {
    throw new Fault('NOT_FOUND')
  })
  letterKeyPages(app, ports)
  overridePages(app, ports, guard)
  // Parsed as in a reply, because pages contain it: only fields of the contract are public.
  const { reply } = routes.verification.settings
  pages(app, ports, async db => reply.parse(await publicSettings(db, ports.environment)))

  app.onError((error, c) => {
    const fault = faultOf(error)
    if (fault.status < 500) c.set('refused', fault.code)
    const requestId = c.get('requestId')
    const livemode = c.get('livemode')
    // In test mode callers can request this error, so it is no incident.
    const isSimulated = livemode === false && error instanceof Fault && error.code === 'INTERNAL_ERROR'
    if (isSimulated) c.set('simulated', true)
    if (fault.status >= 500 && !isSimulated) {
      ports.log({
        level: 'error',
        event: 'fault',
        request_id: requestId,
        code: fault.code,
        cause: causeOf(error),
      })
    }
    if (fault.retryAfter !== undefined)
      c.header('Retry-After', String(Math.max(1, Math.ceil(fault.retryAfter))))
    // Does not wait for the rest of a slow body.
    if (fault.status === 408) c.header('Connection', 'close')
    // RFC 9110 requires every 401 to name an authentication scheme.
    if (fault.status === 401) c.header('WWW-Authenticate', 'Bearer')
    c.header('Cache-Control', 'no-store')
    return c.json({ ...fault.body(requestId), ...(livemode !== undefined && { livemode }) }, fault.status)
  })
  return app
}

/** The table's handlers are checked by `HandlersOf`; a loop over it at run time loses the type of each route. */
function handlerOf(domain: string, name: string): Handler<Route> {
  return ({ ...handlers, ...keyHandlers } as unknown as Record<string, Record<string, Handler<Route>>>)[
    domain
  ]?.[name] as Handler<Route>
}

function refuseOtherMethods(api: App): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of api.routes) {
    if (method === 'ALL') continue
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
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
