import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, expect, test } from 'vitest'
import { gatewayFetch } from './adapters/gateway-fetch.ts'
import { jsonLog } from './adapters/log-json.ts'
import { Metrics } from './metrics/metrics.ts'
import { inSpan } from './telemetry.ts'

function startSpanExporter(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  )
  return exporter
}
afterEach(() => {
  for (const api of [context, propagation, trace]) api.disable()
})

/** Calls a gateway. @returns the headers that the gateway receives, and the log lines */
async function callGateway() {
  let headers = new Headers()
  const lines: string[] = []
  const fetch = gatewayFetch(
    async input => {
      headers = (input as Request).headers
      return new Response()
    },
    { log: jsonLog('info', line => lines.push(line)), metrics: new Metrics() },
  )
  await inSpan('work', {}, () => fetch('https://gateway.example/transactions/REF-1'))
  return { headers, lines: lines.map(line => JSON.parse(line)) }
}

test('a gateway receives the trace context of the call, and log lines contain the trace ID', {
  tags: ['OPERATIONS-7'],
}, async () => {
  const exporter = startSpanExporter()
  const { headers, lines } = await callGateway()
  const [call, work] = exporter.getFinishedSpans()
  const { traceId, spanId } = call?.spanContext() ?? {}
  expect(headers.get('traceparent')).toBe(`00-${traceId}-${spanId}-01`)
  expect(work?.spanContext().traceId).toBe(traceId)
  expect(call?.attributes).toEqual({
    'server.address': 'gateway.example',
    'http.request.method': 'GET',
    'http.response.status_code': 200,
  })
  expect(lines).toMatchObject([{ event: 'gateway_call', trace_id: traceId, span_id: spanId }])
})

test('a failure is recorded by its error class, without its message', {
  tags: ['OPERATIONS-7'],
}, async () => {
  const exporter = startSpanExporter()
  const failingSpan = inSpan('work', {}, async () => {
    throw new RangeError('ada@example.org')
  })
  await expect(failingSpan).rejects.toThrow(RangeError)
  const [span] = exporter.getFinishedSpans()
  expect(span).toMatchObject({ attributes: { 'error.type': 'RangeError' }, status: { code: 2 }, events: [] })
  expect(span?.status.message).toBeUndefined()
})

test('without a collector, no telemetry is sent and log lines are unchanged', {
  tags: ['OPERATIONS-7'],
}, async () => {
  const { headers, lines } = await callGateway()
  expect(headers.has('traceparent')).toBe(false)
  expect(lines[0]).not.toHaveProperty('trace_id')
})
