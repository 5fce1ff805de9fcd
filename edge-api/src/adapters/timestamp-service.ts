import type { Environment } from '../environment.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { LogLine, Ports } from '../ports.ts'
import { readBounded } from './gateway-http.ts'
import { encodeTimestampQuery, newTimestampQuery, readAcceptedToken } from './timestamp-token.ts'

/** How long the creation of a letter waits for its timestamp, in milliseconds. */
const TIMEOUT_MS = 3000
/** How long the service is not called after a failure, in milliseconds, so that letters are not delayed by it. */
const PAUSE_AFTER_FAILURE_MS = 60_000
/** Maximum size of a response, in bytes. */
const MAX_BYTES = 64 * 1024

interface TimestampOptions {
  fetch: typeof globalThis.fetch
  log: (line: LogLine) => void
  metrics: Metrics
  /** The pause after a failure. The caller keeps this object across requests, because ports are created for each request. */
  pause?: { until: number }
  /** How long the service may take to respond, in milliseconds. */
  timeoutMs?: number
  /** Returns monotonic milliseconds. */
  monotonicNow?: () => number
}

/** Returns the port for timestamps over HTTP (RFC 3161, 3.4), or undefined if no service is configured. */
export function timestampService(
  { LETTER_TIMESTAMP_URL: url }: Pick<Environment, 'LETTER_TIMESTAMP_URL'>,
  {
    fetch,
    log,
    metrics,
    pause = { until: 0 },
    timeoutMs = TIMEOUT_MS,
    monotonicNow = () => performance.now(),
  }: TimestampOptions,
): Pick<Ports, 'timestamp'> {
  if (!url) return {}
  return {
    async timestamp(data) {
      if (monotonicNow() < pause.until) {
        metrics.recordTimestamp('paused')
        return undefined
      }
      try {
        const query = newTimestampQuery(data)
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
          body: await encodeTimestampQuery(query),
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        })
        const body = await readBounded(response, MAX_BYTES)
        if (response.status !== 200) throw new Error(`the service returned ${response.status}`)
        const token = await readAcceptedToken(body, query)
        metrics.recordTimestamp('granted')
        return token
      } catch (error) {
        pause.until = monotonicNow() + PAUSE_AFTER_FAILURE_MS
        metrics.recordTimestamp('failed')
        const reason = error instanceof Error ? error.message : String(error)
        log({ level: 'warn', event: 'timestamp_failed', host: new URL(url).host, reason })
        return undefined
      }
    },
  }
}
