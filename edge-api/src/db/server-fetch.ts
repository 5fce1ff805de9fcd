/*
 * Circuit breaker for a database server: every request has a time limit, and after one runs out of it the server counts
 * as silent. Callers are then refused immediately, except for one now and then that retries, until the server answers
 * again.
 */

/** How long a server may take over one answer, in milliseconds. */
export const ANSWER = 5000
/** The same for a try while it is silent, and the least time from one try to the next. */
const TRY = 2000
const BETWEEN_TRIES = 500

/** The server gave no answer, or is known to give none now. Runtimes have different errors for that; this one has a code. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly code = 'SERVER_UNREACHABLE'
}

/** How a server does, as one process has seen it: shared by all its requests. Times as of `performance.now()`. */
export class ServerHealth {
  #answeredAt = Number.NEGATIVE_INFINITY
  #silent = false
  #tryAt = 0

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
  }

  /** @param since when the question was begun: a server that answered others meanwhile is slow, not silent */
  timedOut(since: number, now: number): void {
    if (this.#answeredAt > since) return
    this.#silent = true
    this.#tryAt = Math.max(now, since + BETWEEN_TRIES)
  }
}

/** A timer that fires later than this was held up by work of our own, such as a password's hash on a worker. */
const HELD_UP = 30
/** Then what has arrived meanwhile gets so long to be seen; never more often than this. */
const SECOND_LOOK = 50
const MOST_LOOKS = 20

/**
 * Calls `onLate` once `patience` is over, not counting the time in which this process could not have seen an answer.
 * @returns how to call it off
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

/**
 * A `fetch` for a driver of one database server.
 * @param limit how long an answer may take while the server is well, in milliseconds
 */
export function serverFetch(health: ServerHealth, limit = ANSWER): typeof fetch {
  return async (input, init) => {
    const since = performance.now()
    const patience = health.patience(since, limit)
    if (patience === 0) throw new ServerUnreachable('The database server does not answer at the moment.')
    const late = new AbortController()
    const callOff = whenLate(patience, () => late.abort())
    try {
      const answer = await fetch(input, { ...init, signal: late.signal })
      // Read here, so that an answer that breaks off is known for what it is too.
      const { status, headers } = answer
      const body = await answer.arrayBuffer()
      health.answered(performance.now())
      return new Response(body, { status, headers })
    } catch (cause) {
      if (late.signal.aborted) health.timedOut(since, performance.now())
      throw new ServerUnreachable('The database server gave no answer.', { cause })
    } finally {
      callOff()
    }
  }
}
