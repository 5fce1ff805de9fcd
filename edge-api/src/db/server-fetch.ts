/*
 * Circuit breaker for a database server: every request has a time limit, and after a timeout the server counts as silent.
 * Callers are then refused immediately, except for an occasional one that retries, until the server responds again.
 */

/**
 * Time limit of one response, in milliseconds. A libSQL server keeps the lock of an abandoned transaction for 5 s, so writes
 * that wait for the lock must wait longer than that.
 */
export const RESPONSE_TIMEOUT = 6000
/** Time limit of a probe while the server is silent, and the minimum time between probes. */
const PROBE_TIMEOUT = 2000
const PROBE_INTERVAL = 500

/** The server did not respond, or is known to be silent. Gives the different errors of the runtimes one code. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly code = 'SERVER_UNREACHABLE'
}

/** A request to close a stream, as plain data, because it may be sent on behalf of a later call. */
interface Close {
  url: string
  headers: [string, string][]
  body: string
}

/** More streams than one process has open at the same time. */
const MAX_CLOSES = 1000

/** The state of a server as seen by this process, shared by all its requests. Times are `performance.now()`. */
export class ServerHealth {
  #respondedAt = Number.NEGATIVE_INFINITY
  #silent = false
  #failed = false
  #tryAt = 0
  #closes: Close[] = []

  /** True if the latest request had no response. */
  get failing(): boolean {
    return this.#failed
  }

  /** Remembers the close of a stream that did not reach the server, until the server responds again. */
  keepClose(close: Close): void {
    if (this.#closes.length < MAX_CLOSES) this.#closes.push(close)
  }

  takeCloses(): Close[] {
    return this.#closes.splice(0)
  }

  /** Time limit in milliseconds of a request that starts now; 0 while requests are refused. */
  timeLimit(now: number, limit: number): number {
    if (!this.#silent) return limit
    if (now < this.#tryAt) return 0
    this.#tryAt = now + PROBE_TIMEOUT
    return PROBE_TIMEOUT
  }

  responded(now: number): void {
    this.#respondedAt = now
    this.#silent = false
    this.#failed = false
  }

  failed(): void {
    this.#failed = true
  }

  /**
   * Records a timeout. @param since start of the request: a server that has responded to others since then is slow, not
   * silent
   */
  timedOut(since: number, now: number): void {
    if (this.#respondedAt > since) return
    this.#silent = true
    this.#tryAt = Math.max(now, since + PROBE_INTERVAL)
  }
}

/** A timer that fires this late was delayed by our own work, e.g. hashing a password on a worker. */
const MAX_TIMER_DELAY = 30
/** How long responses that have already arrived then get to be processed; also the interval of these rechecks. */
const RECHECK = 50
const MAX_RECHECKS = 20

/**
 * Calls `onLate` after `timeout` milliseconds, not counting time in which this process could not process a response.
 * @returns a function that cancels it
 */
export function whenLate(timeout: number, onLate: () => void): () => void {
  let due = performance.now() + timeout
  let rechecks = 0
  let timer = setTimeout(check, timeout)
  function check(): void {
    const now = performance.now()
    if (now - due < MAX_TIMER_DELAY || rechecks++ >= MAX_RECHECKS) onLate()
    else {
      due = now + RECHECK
      timer = setTimeout(check, RECHECK)
    }
  }
  return () => clearTimeout(timer)
}

/** The request with which a driver ends a failed stream; undefined for any other request. */
async function closeOf(request: Request): Promise<Close | undefined> {
  if (request.method !== 'POST') return undefined
  const body = await request.text()
  const isClose = /^\{"baton":"[^"]+","requests":\[\{"type":"close"\}\]\}$/.test(body)
  return isClose ? { url: request.url, headers: [...request.headers], body } : undefined
}

/**
 * Ends the streams whose close was lost. A transaction left open in one would hold the write lock for the 5 seconds that libSQL
 * servers allow it, and all writes would wait although the server has recovered.
 */
function sendCloses(health: ServerHealth, limit: number): void {
  for (const { url, headers, body } of health.takeCloses()) {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(limit) }
    fetch(url, init)
      .then(response => response.arrayBuffer())
      // The server no longer knows a stream that expired in the meantime.
      .catch(() => undefined)
  }
}

/**
 * A `fetch` for a driver of one database server.
 * @param limit how long a response may take while the server is healthy, in milliseconds
 */
export function serverFetch(health: ServerHealth, limit = RESPONSE_TIMEOUT): typeof fetch {
  return async (input, init) => {
    // Read only after a failure: only then does a driver close a stream without a request.
    const close = health.failing
      ? await closeOf(new Request(input instanceof Request ? input.clone() : input, init))
      : undefined
    const since = performance.now()
    const timeout = health.timeLimit(since, limit)
    if (timeout === 0) {
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server does not answer at the moment.')
    }
    const late = new AbortController()
    const cancelTimer = whenLate(timeout, () => late.abort())
    try {
      const response = await fetch(input, { ...init, signal: late.signal })
      // Read here, so that a truncated response is detected too.
      const { status, headers } = response
      const body = await response.arrayBuffer()
      health.responded(performance.now())
      sendCloses(health, limit)
      return new Response(body, { status, headers })
    } catch (cause) {
      health.failed()
      if (late.signal.aborted) health.timedOut(since, performance.now())
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server did not answer.', { cause })
    } finally {
      cancelTimer()
    }
  }
}
