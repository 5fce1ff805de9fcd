import { Counter, formatGauge, type Gauge, Histogram } from './families.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

interface RequestSample {
  method: string
  /** The route's pattern, without values. */
  route: string
  status: number
  seconds: number
}

/**
 * The metrics of one process since it started. Each label has only a few distinct values: route patterns, for example, but
 * never IDs.
 */
export class Metrics {
  readonly #requests = new Histogram(
    'portal_http_request_duration_seconds',
    'Requests by method, route pattern and status, with the time until the response began.',
  )
  readonly #gateways = new Histogram(
    'portal_gateway_call_duration_seconds',
    'Calls to payment gateways by host and status; status 0 means no response.',
  )
  readonly #schedulerRuns = new Histogram('portal_scheduler_duration_seconds', 'Runs of the scheduler.')
  readonly #schedulerFailures = new Counter(
    'portal_scheduler_failures_total',
    'Failed runs of the scheduler.',
  )
  readonly #mails = new Counter('portal_mails_total', 'Mails by outcome: delivered, failed, given_up.')
  readonly #deliveries = new Counter(
    'portal_webhook_attempts_total',
    'Attempts to send events to webhook endpoints by outcome: delivered, failed (tried again), given_up, skipped.',
  )
  readonly #timestamps = new Counter(
    'portal_timestamps_total',
    'Timestamps of letters by outcome: granted, failed (the service returned none), paused (not requested after a failure).',
  )
  #schedulerRanAt: number | undefined
  /** End of each queue's last successful run, or its first start if no run has succeeded yet. */
  readonly #queuesRanAt = new Map<string, number>()

  recordRequest({ method, route, status, seconds }: RequestSample): void {
    // Clients can send any method, so only standard ones get their own series.
    const label = METHODS.has(method) ? method : 'other'
    this.#requests.observe(`${label} ${route} ${status}`, () => ({ method: label, route, status }), seconds)
  }

  recordGatewayCall({ host, status, seconds }: { host: string; status: number; seconds: number }): void {
    this.#gateways.observe(`${host} ${status}`, () => ({ host, status }), seconds)
  }

  recordMail(outcome: 'delivered' | 'failed' | 'given_up'): void {
    this.#mails.add({ outcome })
  }

  recordDelivery(outcome: 'delivered' | 'failed' | 'given_up' | 'skipped'): void {
    this.#deliveries.add({ outcome })
  }

  recordTimestamp(outcome: 'granted' | 'failed' | 'paused'): void {
    this.#timestamps.add({ outcome })
  }

  /**
   * Records that a queue is about to run. Until a run succeeds, `getQueueAges` measures from the first call of this
   * method.
   */
  recordQueueStart(queue: string): void {
    if (!this.#queuesRanAt.has(queue)) this.#queuesRanAt.set(queue, performance.now())
  }

  /** Records that a run of a queue has succeeded. */
  recordQueueSuccess(queue: string): void {
    this.#queuesRanAt.set(queue, performance.now())
  }

  /** Returns, for each queue, the seconds since its last successful run in this process. */
  getQueueAges(): { queue: string; seconds: number }[] {
    const now = performance.now()
    return [...this.#queuesRanAt].map(([queue, at]) => ({ queue, seconds: (now - at) / 1000 }))
  }

  /** Records that a run of a queue failed as a whole. The other queues are not affected. */
  recordQueueFailure(queue: string): void {
    this.#schedulerFailures.add({ queue })
  }

  /** Performs `work`, which is one run of the scheduler, and records its duration. */
  async runScheduler<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } catch (error) {
      this.#schedulerFailures.add()
      throw error
    } finally {
      this.#schedulerRanAt = performance.now()
      this.#schedulerRuns.observe('', () => ({}), (this.#schedulerRanAt - startedAt) / 1000)
    }
  }

  /** Returns the seconds since the last run of the scheduler in this process; undefined before the first run. */
  getSchedulerAge(): number | undefined {
    return this.#schedulerRanAt === undefined ? undefined : (performance.now() - this.#schedulerRanAt) / 1000
  }

  /**
   * Returns all metrics in the text format of Prometheus.
   * @param gauges with their current values
   */
  toPrometheusText(gauges: readonly Gauge[]): string {
    const counters = [this.#schedulerFailures, this.#mails, this.#deliveries, this.#timestamps]
    const families = [this.#requests, this.#gateways, this.#schedulerRuns, ...counters]
    const lines = [...families.flatMap(family => family.lines()), ...gauges.flatMap(formatGauge)]
    return `${lines.join('\n')}\n`
  }
}
