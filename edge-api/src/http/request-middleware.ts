import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { requestIdOf } from '@portal/contract/request-id'
import type { Context, Next } from 'hono'
import { countRequest } from '../open-requests.ts'
import type { Ports } from '../ports.ts'
import { extractParentContext, inSpan } from '../telemetry.ts'
import { allowEveryOrigin, isOpenToEveryOrigin } from './cross-origin.ts'
import { isHead } from './head.ts'
import { withRequestId } from './request-id.ts'
import { createSecurityHeaderSetter } from './security-headers.ts'
import type { Variables } from './variables.ts'

type RequestContext = Context<{ Variables: Variables }>
type Middleware = (c: RequestContext, next: Next) => Promise<void>

/**
 * Returns the middleware that every request passes first: it gives the request an ID and a database handle, completes the
 * headers of its response, and reports it as a metric, as a log line and, if there is a collector, as a span.
 */
export function requestMiddleware(ports: Ports): Middleware {
  const respond = completeRequests(ports)
  const step = ports.environment.OTEL_EXPORTER_OTLP_ENDPOINT ? withTracing(respond) : respond
  return (c, next) => {
    const requestId = requestIdOf(c.req.header('x-request-id'))
    c.set('requestId', requestId)
    return withRequestId(requestId, () => step(c, next))
  }
}

function completeRequests(ports: Ports): Middleware {
  const setSecurityHeaders = createSecurityHeaderSetter(ports.environment)
  return async (c, next) => {
    const started = performance.now()
    const database = ports.openDatabase()
    c.set('db', database)
    const endRequest = countRequest()
    try {
      await next()
    } finally {
      endRequest()
      database.close()
    }
    if (!c.get('hasAllHeaders')) {
      const { headers } = c.res
      setSecurityHeaders(headers, c.get('pattern') ?? '', {
        privatePage: c.get('privatePage'),
        remoteOrigins: c.get('remoteOrigins'),
        socketOrigin: c.get('socketOrigin'),
      })
      headers.set('X-Request-Id', c.get('requestId'))
      if (isOpenToEveryOrigin(c.req.path)) allowEveryOrigin(headers)
    }
    reportRequest(c, ports, performance.now() - started)
  }
}

function reportRequest(c: RequestContext, ports: Ports, ms: number): void {
  const method = isHead(c) ? 'HEAD' : c.req.method
  const route = patternOf(c)
  const { status } = c.res
  const isSimulated = c.get('simulated')
  const refused = c.get('refused')
  if (!isSimulated) ports.metrics.recordRequest({ method, route, status, seconds: ms / 1000 })
  ports.log({
    level: status >= 500 && !isSimulated ? 'error' : 'info',
    event: 'request',
    request_id: c.get('requestId'),
    method,
    route,
    status,
    // For rejected calls, the error code and the account are logged, so that attempts at unauthorised access can be traced.
    ...(refused && { code: refused, account: c.get('account') }),
    ms: Math.round(ms * 10) / 10,
  })
}

const patternOf = (c: RequestContext) => c.get('pattern') || 'page'

const withTracing =
  (respond: Middleware): Middleware =>
  (c, next) =>
    inSpan(
      'request',
      { kind: SpanKind.SERVER, parent: extractParentContext(c.req.raw.headers) },
      async span => {
        await respond(c, next)
        const route = patternOf(c)
        span.updateName(`${c.req.method} ${route}`)
        const { status } = c.res
        span.setAttributes({
          'http.request.method': c.req.method,
          'http.route': route,
          'http.response.status_code': status,
          'portal.request_id': c.get('requestId'),
        })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      },
    )
