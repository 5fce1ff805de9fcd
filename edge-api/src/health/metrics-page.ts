import type { Buffer } from 'node:buffer'
import { createHash, timingSafeEqual } from 'node:crypto'
import { Fault } from '../fault.ts'
import type { App } from '../http/serve.ts'
import type { Ports } from '../ports.ts'
import { readGauges } from './gauges.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Adds the page for metrics collectors, which authenticate with a token instead of an account. The page exists only if
 * `METRICS_TOKEN` is set.
 */
export function addMetricsPage(api: App, ports: Ports): void {
  const { METRICS_TOKEN: token } = ports.environment
  api.get('/metrics', async c => {
    c.set('pattern', '/metrics')
    if (token === undefined) throw new Fault('NOT_FOUND')
    const sentToken = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(sentToken), digest(token))) throw new Fault('UNAUTHENTICATED')
    const text = ports.metrics.toPrometheusText(await readGauges(ports, c.get('db')))
    return c.body(text, 200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    })
  })
}
