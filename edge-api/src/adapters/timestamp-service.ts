import type { Environment } from '../environment.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { LogLine, Ports } from '../ports.ts'
import { readBounded } from './gateway-http.ts'
import { acceptedToken, encodeQuestion, newQuestion } from './timestamp-token.ts'

/** How long a letter waits for its timestamp, in milliseconds. */
const LIMIT = 3000
/** How long the service is not called after a failure, in milliseconds: letters do not wait for it until then. */
const PAUSE = 60_000
/** Largest response that is read, in bytes. */
const MAX_BYTES = 64 * 1024

interface Needed {
  fetch: typeof globalThis.fetch
  log: (line: LogLine) => void
  metrics: Metrics
  /** State across requests: the caller keeps it, because ports are created for each request. */
  pause?: { until: number }
  limit?: number
  /** Monotonic milliseconds. */
  elapsed?: () => number
}

/** The port for timestamps over HTTP (RFC 3161, 3.4); undefined if no service is configured. */
export function timestampService(
  { LETTER_TIMESTAMP_URL: url }: Pick<Environment, 'LETTER_TIMESTAMP_URL'>,
  { fetch, log, metrics, pause = { until: 0 }, limit = LIMIT, elapsed = () => performance.now() }: Needed,
): Pick<Ports, 'timestamp'> {
  if (!url) return {}
  return {
    async timestamp(data) {
      if (elapsed() < pause.until) {
        metrics.timestamp('paused')
        return undefined
      }
      try {
        const question = newQuestion(data)
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
          body: await encodeQuestion(question),
          redirect: 'manual',
          signal: AbortSignal.timeout(limit),
        })
        const body = await readBounded(response, MAX_BYTES)
        if (response.status !== 200) throw new Error(`the service returned ${response.status}`)
        const token = await acceptedToken(body, question)
        metrics.timestamp('granted')
        return token
      } catch (error) {
        pause.until = elapsed() + PAUSE
        metrics.timestamp('failed')
        const reason = error instanceof Error ? error.message : String(error)
        log({ level: 'warn', event: 'timestamp_failed', host: new URL(url).host, reason })
        return undefined
      }
    },
  }
}
