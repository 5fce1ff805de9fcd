import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { keyRoutes } from '@portal/contract/v1'
import { Hono } from 'hono'
import { authenticate } from './accounts/authenticate.ts'
import { requireSecondFactor } from './accounts/second-factor-policy.ts'
import { processDueDisputes } from './disputes/queue.ts'
import { Fault } from './fault.ts'
import { addOverridePages } from './front-ends/override-page.ts'
import { handlers, keyHandlers } from './handlers.ts'
import { addMetricsPage } from './health/metrics-page.ts'
import { createPreflightResponse, isOpenToEveryOrigin } from './http/cross-origin.ts'
import { serveDocs } from './http/docs-page.ts'
import { toErrorResponse } from './http/error-response.ts'
import type { Guard } from './http/guard.ts'
import { serveHeadAsGet } from './http/head.ts'
import { servePages } from './http/pages.ts'
import { requestMiddleware } from './http/request-middleware.ts'
import { type App, type Handler, serve } from './http/serve.ts'
import type { Variables } from './http/variables.ts'
import { addVocabularyPage } from './letters/vocabulary.ts'
import { addLetterKeyPages, addStatusLists } from './letters/well-known.ts'
import { recordLogEntry } from './logs/store.ts'
import { authenticateKey, countCall } from './organisation-keys/authenticate.ts'
import { addPaymentCallbacks } from './payments/callbacks.ts'
import type { Ports } from './ports.ts'
import { readPublicSettings } from './settings/public-settings.ts'

const guard: Guard = { authenticate, authenticateKey, countCall, requireSecondFactor, record: recordLogEntry }

/** Creates the whole portal as one Hono app: the API under `/api`, the pages and the front ends. */
export function createApp(ports: Ports): App {
  const app: App = new Hono<{ Variables: Variables }>()
  serveHeadAsGet(app)
  app.use(requestMiddleware(ports))
  app.options('*', async (c, next) =>
    isOpenToEveryOrigin(c.req.path) ? createPreflightResponse() : await next(),
  )
  app.route('/api', createApi(ports))
  app.all('/api/*', () => {
    throw new Fault('NOT_FOUND')
  })
  addLetterKeyPages(app, ports)
  addOverridePages(app, ports, guard)
  // The settings are embedded in pages, so they are parsed like an API response: only fields of the contract are public.
  const { reply } = routes.verification.settings
  servePages(app, ports, async db => reply.parse(await readPublicSettings(db, ports.environment)))
  // Pages and files are only served for GET requests; everything else is not found.
  app.all('*', () => {
    throw new Fault('NOT_FOUND')
  })
  app.onError((error, c) => toErrorResponse(error, c, ports))
  return app
}

function createApi(ports: Ports): App {
  const api: App = new Hono<{ Variables: Variables }>()
  for (const [domain, table] of Object.entries({ ...routes, ...keyRoutes })) {
    for (const [name, route] of Object.entries(table))
      serve(api, ports, guard, route, handlersByDomain[domain]?.[name] as Handler<Route>)
  }
  addPaymentCallbacks(api, ports, { processDueDisputes })
  serveDocs(api, ports)
  addMetricsPage(api, ports)
  addStatusLists(api, ports)
  addVocabularyPage(api, ports)
  refuseOtherMethods(api)
  return api
}

/**
 * All handlers by domain and name. Their types have been checked by `HandlersOf`; a loop over the routes cannot express them.
 */
const handlersByDomain = { ...handlers, ...keyHandlers } as unknown as Record<
  string,
  Record<string, Handler<Route>>
>

/** Responds to any other method on the API's paths with 405 and the allowed methods. */
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
