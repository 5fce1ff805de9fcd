/**
 * The sandbox payment gateway: a separate service that imports nothing from the product. Merchants' servers call it,
 * payers' browsers use its card page, and tests script it through control calls.
 */
import { type Context, Hono } from 'hono'
import { matchedRoutes } from 'hono/route'
import { createApiRoutes } from './api.ts'
import { createCheckoutRoutes } from './checkout.ts'
import { createControlRoutes } from './control.ts'
import { createDisputeRoutes } from './dispute-api.ts'
import { createNotFoundFault, limitBody, respondWithFault, toFault } from './http.ts'
import { expireStale } from './lifecycle.ts'
import type { Db } from './schema.ts'
import {
  type Clock,
  type Config,
  type ControlState,
  createFaults,
  type Log,
  type Service,
} from './service.ts'
import { createWebhooks } from './webhooks.ts'

export type PaymentService = {
  app: Hono
  /** Expires stale orders, and sends all webhooks that are due. Safe to call at any time, any number of times. */
  runScheduledJobs(): Promise<void>
  /** Waits for in-flight webhooks to finish, for a graceful shutdown. */
  idle(): Promise<void>
}

/**
 * Creates the service. `db` comes from `openDatabase`; `clock` is the real time, which control calls can advance; `log` takes
 * one entry per line.
 */
export function createPaymentService(deps: {
  db: Db
  clock: Clock
  fetch: typeof fetch
  config: Config
  log: Log
}): PaymentService {
  const { db, clock, config, log } = deps
  const control: ControlState = { scenario: {}, advancedMs: 0 }
  const now = () => new Date(clock.now().getTime() + control.advancedMs)
  const webhooks = createWebhooks({ ...deps, now })
  const service: Service = { db, config, log, control, faults: createFaults(control), webhooks, now }

  const app = new Hono()
    .onError((cause, c) => {
      const fault = toFault(cause)
      if (fault.code === 'INTERNAL_ERROR' && cause !== fault) {
        log({ level: 'error', event: 'request', message: cause.name })
      }
      return respondWithFault(c, fault)
    })
    .notFound(c => respondWithFault(c, createNotFoundFault()))
    .use('*', async (c, next) => {
      const started = performance.now()
      const requestId = requestIdOf(c.req.header('x-request-id'))
      c.header('X-Request-Id', requestId)
      c.header('Cache-Control', 'no-store')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
      await next()
      log({
        level: 'info',
        event: 'request',
        request_id: requestId,
        method: c.req.method,
        route: routePattern(c),
        status: c.res.status,
        ms: Math.round(performance.now() - started),
      })
    })
    .use('*', limitBody)
    .route('/checkout', createCheckoutRoutes(service))
    .route('/_control', createControlRoutes(service))
    .route('/dispute', createDisputeRoutes(service))
    .route('/', createApiRoutes(service))

  return {
    app,
    async runScheduledJobs() {
      await expireStale(service)
      await webhooks.deliverDue()
    },
    idle: () => webhooks.idle(),
  }
}

/** Returns the client's request ID, so that the client's log and ours share it; an invalid ID is replaced. */
const requestIdOf = (header: string | undefined) =>
  header !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(header)
    ? header.toLowerCase()
    : crypto.randomUUID()

/** Returns the pattern of the call's route, which contains no IDs or tokens. */
function routePattern(c: Context): string {
  const paths = matchedRoutes(c).map(route => route.path)
  return paths.findLast(path => !path.endsWith('*')) ?? paths.at(-1) ?? '*'
}
