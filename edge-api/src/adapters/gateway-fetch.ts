import { SpanKind } from '@opentelemetry/api'
import { currentRequestId } from '../http/request-id.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { LogLine } from '../ports.ts'
import { injectTraceParent, inSpan } from '../telemetry.ts'

/**
 * Returns a `fetch` for gateway adapters that sends the IDs of the current request and trace, and logs each call. Only
 * the host of the address is logged, since paths contain references.
 */
export function gatewayFetch(
  fetch: typeof globalThis.fetch,
  { log, metrics }: { log: (line: LogLine) => void; metrics: Metrics },
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const id = currentRequestId()
    if (id) request.headers.set('X-Request-Id', id)
    const { host } = new URL(request.url)
    const startedAt = performance.now()
    const report = (status: number) => {
      const ms = performance.now() - startedAt
      metrics.recordGatewayCall({ host, status, seconds: ms / 1000 })
      const level = status === 0 || status >= 500 ? 'warn' : 'info'
      log({
        level,
        event: 'gateway_call',
        host,
        method: request.method,
        status,
        ms: Math.round(ms * 10) / 10,
      })
    }
    const attributes = { 'server.address': host, 'http.request.method': request.method }
    return await inSpan(`gateway ${request.method}`, { kind: SpanKind.CLIENT, attributes }, async span => {
      injectTraceParent(request.headers)
      try {
        const response = await fetch(request)
        report(response.status)
        span.setAttribute('http.response.status_code', response.status)
        return response
      } catch (error) {
        report(0)
        throw error
      }
    })
  }
}
