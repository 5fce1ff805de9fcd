/*
 * Circuit breaker for a database server: every request has a time limit, and after a timeout the server counts as silent.
 * Callers are then refused immediately, except for an occasional one that retries, until the server responds again.
 */

/**
 * How long a server may take over one answer, in milliseconds. A libSQL server keeps the lock of an abandoned transaction for
 * 5 s: writes that wait for it must not be given up just before their turn.
 */
export const ANSWER = 6000
/** The same for a try while it is silent, and the least time from one try to the next. */
const TRY = 2000
const BETWEEN_TRIES = 500

/** The server did not respond, or is known not to respond now. Runtimes have different errors for that; this one has a code. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly code = 'SERVER_UNREACHABLE'
}

/** A request to close a stream, as plain data: it may be sent on behalf of a later call. */
interface Close {
  url: string
  headers: [string, string][]
  body: string
}

/** More streams than a process has open at a time. */
const MOST_CLOSES = 1000

/** How a server does, as one process has seen it: shared by all its requests. Times as of `performance.now()`. */
export class ServerHealth {
  #answeredAt = Number.NEGATIVE_INFINITY
  #silent = false
  #failed = false
  #tryAt = 0
  #closes: Close[] = []

  /** True while the latest request had no answer. */
  get failing(): boolean {
    return this.#failed
  }

  /** Keeps the close of a stream that the server did not hear, until it answers again. */
  keepClose(close: Close): void {
    if (this.#closes.length < MOST_CLOSES) this.#closes.push(close)
  }

  takeCloses(): Close[] {
    return this.#closes.splice(0)
  }

  /** Time limit in milliseconds of a request that starts now; 0 while requests are refused. */
  patience(now: number, limit: number): number {
    if (!this.#silent) return limit
    if (now < this.#tryAt) return 0
    this.#tryAt = now + TRY
    return TRY
  }

  answered(now: number): void {
    this.#answeredAt = now
    this.#silent = false
    this.#failed = false
  }

  failed(): void {
    this.#failed = true
  }

  /** @param since when the request began: a server that answered others in the meantime is slow, not silent */
  timedOut(since: number, now: number): void {
    if (this.#answeredAt > since) return
    this.#silent = true
    this.#tryAt = Math.max(now, since + BETWEEN_TRIES)
  }
}

/** A timer that fires later than this was delayed by our own work, such as hashing a password on a worker. */
const HELD_UP = 30
/** Then responses that have arrived get this long to be seen; never more often than this. */
const SECOND_LOOK = 50
const MOST_LOOKS = 20

/**
 * Calls `onLate` after `patience`, not counting time in which this process could not have seen a response.
 * @returns how to cancel it
 */
export function whenLate(patience: number, onLate: () => void): () => void {
  let due = performance.now() + patience
  let looks = 0
  let timer = setTimeout(look, patience)
  function look(): void {
    const now = performance.now()
    if (now - due < HELD_UP || looks++ >= MOST_LOOKS) onLate()
    else {
      due = now + SECOND_LOOK
      timer = setTimeout(look, SECOND_LOOK)
    }
  }
  return () => clearTimeout(timer)
}

/** What a driver sends to end a stream that has failed; undefined for any other request. */
async function closeOf(input: Parameters<typeof fetch>[0]): Promise<Close | undefined> {
  if (!(input instanceof Request) || input.method !== 'POST') return undefined
  const body = await input.clone().text()
  const isClose = /^\{"baton":"[^"]+","requests":\[\{"type":"close"\}\]\}$/.test(body)
  return isClose ? { url: input.url, headers: [...input.headers], body } : undefined
}

/**
 * Ends the streams whose close was lost. A transaction left open in one would hold the write lock for the 5 seconds that
 * libSQL servers allow it, and all writes would wait although the server is well again.
 */
function sendCloses(health: ServerHealth, limit: number): void {
  for (const { url, headers, body } of health.takeCloses()) {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(limit) }
    fetch(url, init)
      .then(answer => answer.arrayBuffer())
      // The server no longer knows a stream that ended by itself in the meantime.
      .catch(() => undefined)
  }
}

/**
 * A `fetch` for a driver of one database server.
 * @param limit how long a response may take while the server is healthy, in milliseconds
 */
export function serverFetch(health: ServerHealth, limit = ANSWER): typeof fetch {
  return async (input, init) => {
    // Read only after a failure: that is when a driver closes a stream on its own.
    const close = health.failing ? await closeOf(input) : undefined
    const since = performance.now()
    const patience = health.patience(since, limit)
    if (patience === 0) {
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server does not answer at the moment.')
    }
    const late = new AbortController()
    const callOff = whenLate(patience, () => late.abort())
    try {
      const answer = await fetch(input, { ...init, signal: late.signal })
      // Read here, so that a response that breaks off is detected too.
      const { status, headers } = answer
      const body = await answer.arrayBuffer()
      health.answered(performance.now())
      sendCloses(health, limit)
      return new Response(body, { status, headers })
    } catch (cause) {
      health.failed()
      if (late.signal.aborted) health.timedOut(since, performance.now())
      if (close) health.keepClose(close)
      throw new ServerUnreachable('The database server gave no answer.', { cause })
    } finally {
      callOff()
    }
  }
}
