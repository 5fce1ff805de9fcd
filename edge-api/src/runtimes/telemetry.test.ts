import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../test/portal.ts'
import { bundled } from '../../test/servers/bundle-api.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Tests the portal with a small OTLP receiver as its collector, on both long-lived runtimes. */

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
}

const NUMBER = 'UG/2019/00123'
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_SPAN_ID = 'b7ad6b7169203331'

// Both runtimes run the same code. Its libraries are written for Node, so Deno is always tested too.
describe.each(EXHAUSTIVE ? (['deno', 'node'] as const) : (['deno'] as const))('on %s', runtime => {
  let collector: Server
  let portal: RunningPortal
  /** Everything that the collector has received, as text. */
  let receivedText = ''
  const spans: Span[] = []
  const metrics = new Set<string>()

  function record(path: string | undefined, text: string): void {
    receivedText += text
    const body = JSON.parse(text)
    if (path === '/v1/traces')
      for (const { scopeSpans } of body.resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
    if (path === '/v1/metrics')
      for (const { scopeMetrics } of body.resourceMetrics)
        for (const scope of scopeMetrics) for (const { name } of scope.metrics) metrics.add(name)
  }

  beforeAll(async () => {
    collector = createServer(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      record(incoming.url, Buffer.concat(chunks).toString())
      response.setHeader('content-type', 'application/json').end('{}')
    }).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    if (runtime === 'node') await bundled()
    portal = await startPortal(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
        OTEL_METRIC_EXPORT_TIMEOUT: '400',
      },
      runtime,
    )
  })
  afterAll(async () => {
    await portal?.stop()
    collector?.close()
  })

  const call = async (method: string, path: string, body: unknown, token?: string, headers = {}) => {
    const answer = await request(method, path, { body, headers, ...(token && { token }), portal })
    expect(answer.status).toBeLessThan(300)
    return answer.body
  }

  test('a payment is one trace from the browser to the database and the gateway, without personal data', {
    tags: ['OPERATIONS-7'],
  }, async () => {
    const { email } = personas.user
    const { token } = await call('POST', '/auth/login', { email, password: DEMO_PASSWORD })
    const body = { certificate_number: NUMBER }
    await call('POST', '/verification/check-certificate', body, token)
    const traceparent = `00-${TRACE_ID}-${PARENT_SPAN_ID}-01`
    await call('POST', '/verification/process-payment', body, token, { traceparent })

    const spansOfTrace = () => spans.filter(({ traceId }) => traceId === TRACE_ID)
    const findRootSpan = () => spansOfTrace().find(({ parentSpanId }) => parentSpanId === PARENT_SPAN_ID)
    await expect.poll(findRootSpan).toBeDefined()
    const root = findRootSpan()
    expect(root).toMatchObject({ name: 'POST /verification/process-payment', kind: 2 })
    const children = spansOfTrace().filter(({ parentSpanId }) => parentSpanId === root?.spanId)
    expect(new Set(children.map(({ name }) => name))).toEqual(
      new Set(['database execute', 'database commit', 'gateway POST']),
    )
    const personal = [email, DEMO_PASSWORD, token, NUMBER, personas.user.lastname]
    expect(personal.filter(text => receivedText.includes(text))).toEqual([])
  })

  test('counters, durations and gauges arrive as OTLP metrics', { tags: ['OPERATIONS-7'] }, async () => {
    const expected = ['portal_http_request_duration_seconds', 'portal_outbox_waiting']
    await expect.poll(() => [...metrics]).toEqual(expect.arrayContaining(expected))
  })
})
