import http from 'node:http'
import https from 'node:https'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'

/*
 * Simulates clients such as browsers and proxies: each sends one request after another on a persistent connection and records
 * the outcomes. They use node:http, because `fetch` does not expose the connection of a request.
 */

export interface LoadRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Outcome {
  /** The HTTP status; 0 if there was no complete response. */
  status: number
  /** The system's error if there was no response: `ECONNREFUSED`, `ECONNRESET` … */
  error: string
  body: string
  headers: http.IncomingHttpHeaders
  /** Milliseconds from the request to the end of the response. */
  ms: number
}

export interface Load {
  /** All outcomes so far. */
  readonly outcomes: Outcome[]
  /** Resolves when every client has ended: after a refused connection, or after `stop` is called. */
  readonly ended: Promise<void>
  stop(): void
}

const isRefused = ({ error }: Outcome) => error === 'ECONNREFUSED'

/** TLS options for a proxy under test, which has a certificate from a private CA. */
const PROXY_TLS = { servername: 'localhost', rejectUnauthorized: false }

/** Sends one request; never rejects. */
export function sendRequest(
  base: string,
  { method = 'GET', path, headers = {}, body }: LoadRequest,
  agent?: http.Agent,
) {
  const startedAt = performance.now()
  return new Promise<Outcome>(resolve => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        error: error.code ?? error.message,
        body: '',
        headers: {},
        ms: performance.now() - startedAt,
      })
    const url = new URL(path, base)
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      { method, headers, ...PROXY_TLS, ...(agent && { agent }) },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', fail)
        response.on('aborted', () => fail(new Error('the connection was closed early')))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            error: '',
            body: Buffer.concat(chunks).toString('utf8'),
            headers: response.headers,
            ms: performance.now() - startedAt,
          }),
        )
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

/**
 * Keeps `clientCount` clients busy.
 * @param next returns a client's next request
 * @param options `retryRefused`: whether clients retry a refused connection until it is accepted, as real clients do;
 * `onOutcome` is called with each outcome
 */
export function startLoad(
  base: string,
  clientCount: number,
  next: () => LoadRequest,
  {
    retryRefused = false,
    onOutcome = () => undefined,
  }: { retryRefused?: boolean; onOutcome?: (request: LoadRequest, outcome: Outcome) => void } = {},
): Load {
  // `localhost` may have two addresses, and the portal listens on one of them.
  const address = base.replace('//localhost:', '//127.0.0.1:')
  const connections = { keepAlive: true, maxSockets: clientCount }
  const agent = address.startsWith('https:') ? new https.Agent(connections) : new http.Agent(connections)
  const outcomes: Outcome[] = []
  let isStopped = false
  async function runClient(): Promise<void> {
    while (!isStopped) {
      const request = next()
      let outcome = await sendRequest(address, request, agent)
      while (retryRefused && isRefused(outcome) && !isStopped) {
        await new Promise(resolve => setTimeout(resolve, 50))
        outcome = await sendRequest(address, request, agent)
      }
      if (retryRefused && isRefused(outcome)) return
      outcomes.push(outcome)
      onOutcome(request, outcome)
      if (isRefused(outcome)) return
    }
  }
  const ended = Promise.all(Array.from({ length: clientCount }, runClient)).then(() => agent.destroy())
  return {
    outcomes,
    ended,
    stop() {
      isStopped = true
    },
  }
}

/** Waits until there are `count` more outcomes. @throws if they do not arrive in time */
export async function waitForMore({ outcomes }: Load, count: number): Promise<void> {
  const targetCount = outcomes.length + count
  const deadline = Date.now() + WAIT_TIMEOUT_MS
  while (outcomes.length < targetCount) {
    if (Date.now() > deadline)
      throw new Error(`only ${outcomes.length} of ${targetCount} responses arrived in time`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** Returns the outcomes that are failures for a client: incomplete responses and server errors. */
export const selectFailures = (outcomes: readonly Outcome[]) =>
  outcomes.filter(outcome => !isRefused(outcome) && (outcome.status === 0 || outcome.status >= 500))
