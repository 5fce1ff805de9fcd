/*
 * Circuit breaker for a database server: every request has a time limit, and after a timeout the server is considered silent.
 * Until it responds again, requests are rejected immediately, except for an occasional probe.
 */

/**
 * Time limit for one response, in milliseconds. A libSQL server keeps the lock of an abandoned transaction for 5 s, so
 * writes must be able to wait longer than that for the lock.
 */
export const RESPONSE_TIMEOUT_MS = 6000
/** Time limit of a probe while the server is silent, and minimum time between probes, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000
const PROBE_INTERVAL_MS = 500

/**
 * Thrown if the server did not respond or is considered silent. Replaces the various errors of the runtimes with one
 * error, which has a single code.
 */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly code = 'SERVER_UNREACHABLE'
}

/** A request to close a stream, stored as plain data because it may be sent later, in the course of another call. */
interface CloseRequest {
  url: string
  headers: [string, string][]
  body: string
}

/** Maximum number of stored close requests, which is more than the streams that one process has open at the same time. */
const MAX_CLOSES = 1000

/** The state of a server as seen by this process, shared by all its requests. Times are `performance.now()`. */
export class ServerHealth {
  #respondedAt = Number.NEGATIVE_INFINITY
  #silent = false
  #failed = false
  #nextProbeAt = 0
  #closes: CloseRequest[] = []

  /** True if the latest request got no response. */
  get failing(): boolean {
    return this.#failed
  }

  /** Stores a close request that did not reach the server, to send it once the server responds again. */
  keepClose(close: CloseRequest): void {
    if (this.#closes.length < MAX_CLOSES) this.#closes.push(close)
  }

  takeCloses(): CloseRequest[] {
    return this.#closes.splice(0)
  }

  /** Returns the time limit of a request that starts now, in milliseconds; 0 while requests are rejected. */
  timeLimit(now: number, limit: number): number {
    if (!this.#silent) return limit
    if (now < this.#nextProbeAt) return 0
    this.#nextProbeAt = now + PROBE_TIMEOUT_MS
    return PROBE_TIMEOUT_MS
  }

  markResponded(now: number): void {
    this.#respondedAt = now
    this.#silent = false
    this.#failed = false
  }

  markFailed(): void {
    this.#failed = true
  }

  /**
   * Records a timeout.
   * @param since start of the request: a server that has responded to another request since then is slow, not silent
   */
  markTimedOut(since: number, now: number): void {
    if (this.#respondedAt > since) return
    this.#silent = true
    this.#nextProbeAt = Math.max(now, since + PROBE_INTERVAL_MS)
  }
}

/**
 * If a timer fires this many milliseconds late or more, the process itself was busy, e.g. hashing a password in a worker.
 */
const MAX_TIMER_DELAY_MS = 30
/**
 * How long to wait after such a delay before checking again, in milliseconds, so that responses that have already arrived can
 * be processed.
 */
const RECHECK_DELAY_MS = 50
const MAX_RECHECKS = 20

/**
 * Calls `onLate` after `timeout` milliseconds, not counting time in which this process was too busy to process a response.
 * @returns a function that cancels the timer
 */
export function whenLate(timeout: number, onLate: () => void): () => void {
  let dueAt = performance.now() + timeout
  let rechecks = 0
  let timer = setTimeout(check, timeout)
  function check(): void {
    const now = performance.now()
    if (now - dueAt < MAX_TIMER_DELAY_MS || rechecks++ >= MAX_RECHECKS) onLate()
    else {
      dueAt = now + RECHECK_DELAY_MS
      timer = setTimeout(check, RECHECK_DELAY_MS)
    }
  }
  return () => clearTimeout(timer)
}

/** Parses a request that closes a failed stream. @returns undefined for any other request */
async function parseClose(request: Request): Promise<CloseRequest | undefined> {
  if (request.method !== 'POST') return undefined
  const body = await request.text()
  const isClose = /^\{"baton":"[^"]+","requests":\[\{"type":"close"\}\]\}$/.test(body)
  return isClose ? { url: request.url, headers: [...request.headers], body } : undefined
}

/**
 * Sends the close requests that were lost. A transaction left open in such a stream would hold the write lock for 5 seconds,
 * the limit of libSQL servers, and so block all writes although the server has recovered.
 */
function sendCloses(health: ServerHealth, limit: number): void {
  for (const { url, headers, body } of health.takeCloses()) {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(limit) }
    fetch(url, init)
      .then(response => response.arrayBuffer())
      // Fails if the stream has expired in the meantime, which does not matter.
      .catch(() => undefined)
  }
}

/**
 * Returns a `fetch` for the driver of one database server.
 * @param limit maximum time for a response while the server is healthy, in milliseconds
 */
export function serverFetch(health: ServerHealth, limit = RESPONSE_TIMEOUT_MS): typeof fetch {
  return async (input, init) => {
    // The request's body is read only after a failure, because only then does a driver send a close request on its own.
    const close = health.failing
      ? await parseClose(new Request(input instanceof Request ? input.clone() : input, init))
      : undefined
    const since = performance.now()
    const timeout = health.timeLimit(since, limit)
    if (timeout === 0) {
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server does not answer at the moment.')
    }
    const timeoutController = new AbortController()
    const cancelTimer = whenLate(timeout, () => timeoutController.abort())
    try {
      const response = await fetch(input, { ...init, signal: timeoutController.signal })
      // Reads the whole body here, so that a truncated response also counts as a failure.
      const { status, headers } = response
      const body = await response.arrayBuffer()
      health.markResponded(performance.now())
      sendCloses(health, limit)
      return new Response(body, { status, headers })
    } catch (cause) {
      health.markFailed()
      if (timeoutController.signal.aborted) health.markTimedOut(since, performance.now())
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server did not answer.', { cause })
    } finally {
      cancelTimer()
    }
  }
}
