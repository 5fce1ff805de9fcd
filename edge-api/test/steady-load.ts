import http from 'node:http'

/*
 * Callers as browsers and proxies are: each on a connection that it keeps, sending one request after the other, and
 * noting what became of each. Over node:http, because `fetch` does not tell which connection a request was sent on.
 */

export interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Outcome {
  /** HTTP status; 0 when no whole answer came. */
  status: number
  /** What the system said when none came: `ECONNREFUSED`, `ECONNRESET` … */
  error: string
  body: string
  headers: http.IncomingHttpHeaders
  /** From the request to the end of the answer. */
  ms: number
}

export interface Load {
  /** Every outcome so far. */
  readonly outcomes: Outcome[]
  /** Ends when every caller has ended: each does after a refused connection, or after `stop`. */
  readonly ended: Promise<void>
  stop(): void
}

const refused = ({ error }: Outcome) => error === 'ECONNREFUSED'

/** One request; never rejects. */
export function ask(base: string, { method = 'GET', path, headers = {}, body }: Asked, agent?: http.Agent) {
  const began = performance.now()
  return new Promise<Outcome>(resolve => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        error: error.code ?? error.message,
        body: '',
        headers: {},
        ms: performance.now() - began,
      })
    const request = http.request(
      new URL(path, base),
      { method, headers, ...(agent && { agent }) },
      answer => {
        const parts: Buffer[] = []
        answer.on('data', part => parts.push(part))
        answer.on('error', failed)
        answer.on('aborted', () => failed(new Error('broken off')))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            error: '',
            body: Buffer.concat(parts).toString('utf8'),
            headers: answer.headers,
            ms: performance.now() - began,
          }),
        )
      },
    )
    request.on('error', failed)
    request.end(body)
  })
}

/**
 * Keeps `callers` busy.
 * @param next what a caller asks for next
 * @param options `again`: a refused connection is tried again until it is taken, as clients do that retry; `noted` is
 *   called with each outcome
 */
export function startLoad(
  base: string,
  callers: number,
  next: () => Asked,
  {
    again = false,
    noted = () => undefined,
  }: { again?: boolean; noted?: (asked: Asked, outcome: Outcome) => void } = {},
): Load {
  // `localhost` may be two addresses, of which the portal listens on one.
  const address = base.replace('//localhost:', '//127.0.0.1:')
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers })
  const outcomes: Outcome[] = []
  let stopped = false
  async function caller(): Promise<void> {
    while (!stopped) {
      const asked = next()
      let outcome = await ask(address, asked, agent)
      while (again && refused(outcome) && !stopped) {
        await new Promise(resolve => setTimeout(resolve, 50))
        outcome = await ask(address, asked, agent)
      }
      if (again && refused(outcome)) return
      outcomes.push(outcome)
      noted(asked, outcome)
      if (refused(outcome)) return
    }
  }
  const ended = Promise.all(Array.from({ length: callers }, caller)).then(() => agent.destroy())
  return {
    outcomes,
    ended,
    stop() {
      stopped = true
    },
  }
}

/** Of the outcomes, those that a caller would call a failure: no whole answer, or one of the server's own mistakes. */
export const failures = (outcomes: readonly Outcome[]) =>
  outcomes.filter(outcome => !refused(outcome) && (outcome.status === 0 || outcome.status >= 500))
