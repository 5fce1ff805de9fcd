// A load balancer for several API processes. Each request goes to the healthy process with the fewest requests. An interrupted
// read is tried again on another process; a write only if no part of it had been sent.
import { randomUUID } from 'node:crypto'
import { Agent, request as callBackend, createServer } from 'node:http'

/** How often the health of a process is checked, and how long it may take to respond, in milliseconds. */
const CHECK_INTERVAL_MS = 500
const CHECK_TIMEOUT_MS = 2000
/** How long a request waits for a healthy process, in milliseconds. */
const TIMEOUT_MS = 3000

/** The hop-by-hop headers (RFC 9110, 7.6.1), which are not forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const withoutHopByHop = headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))

class Backend {
  isUp = false
  /** The number of requests in progress. */
  load = 0
  /** Functions that abort the reads whose response has not started. */
  waiting = new Set()
  #missed = 0

  constructor(address) {
    this.url = address
    const { hostname, port } = new URL(address)
    this.target = { host: hostname, port: Number(port) }
  }

  async check() {
    const response = await fetch(`${this.url}/api/health`, {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    }).catch(error => error)
    if (response.ok) {
      await response.body?.cancel()
      this.#missed = 0
      this.isUp = true
    } else if (response.name !== 'TimeoutError' || ++this.#missed > 1) this.markDown()
  }

  /**
   * Marks the process as down until a check succeeds, and aborts the reads that wait for it, so that they are tried on another
   * process.
   */
  markDown() {
    this.isUp = false
    for (const giveUp of this.waiting) giveUp()
  }
}

/**
 * Starts the load balancer.
 * @param {{ host: string, port: number, backends: string[] }} options `backends`: addresses, without a path
 * @returns the port, `states()` (health by address) and `stop()`
 */
export async function startLoadBalancer({ host, port, backends: addresses }) {
  const backends = addresses.map(address => new Backend(address))
  const keepAlive = new Agent({ keepAlive: true })
  const checkAll = () => Promise.all(backends.map(backend => backend.check()))
  const timer = setInterval(checkAll, CHECK_INTERVAL_MS)
  await checkAll()

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, backends, keepAlive)
  })
  // Requests have no time limit, because large uploads take long.
  server.requestTimeout = 0
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(undefined))
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    states: () => Object.fromEntries(backends.map(({ url, isUp }) => [url, isUp])),
    async stop() {
      clearInterval(timer)
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
      keepAlive.destroy()
    },
  }
}

/**
 * Returns the healthy process with the fewest requests among those that have not been tried. Waits for one if no process is
 * healthy.
 */
async function chooseBackend(backends, triedBackends) {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const ready = backends.filter(backend => backend.isUp && !triedBackends.has(backend))
    if (ready.length > 0)
      return ready.reduce((leastLoaded, item) => (item.load < leastLoaded.load ? item : leastLoaded))
    if (backends.some(backend => backend.isUp) || Date.now() > deadline) return undefined
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function serve(incoming, outgoing, backends, keepAlive) {
  const { method, headers } = incoming
  const hasBody = 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'
  const isRepeatable = ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody
  const triedBackends = new Set()
  for (;;) {
    const backend = await chooseBackend(backends, triedBackends)
    if (!backend)
      return refuse(outgoing, triedBackends.size > 0 && !isRepeatable ? BACKEND_LOST : UNAVAILABLE)
    const outcome = await forward(incoming, outgoing, backend, {
      isRepeatable,
      agent: isRepeatable ? keepAlive : false,
    })
    if (outcome === 'done') return
    // The process may be healthy: it has only closed an idle connection.
    if (outcome !== 'stale') triedBackends.add(backend)
    if (outcome === 'lost' && !isRepeatable) return refuse(outgoing, BACKEND_LOST)
  }
}

/**
 * Forwards a request to a process, and its response to the client.
 * @returns {Promise<'done' | 'unsent' | 'stale' | 'lost'>} `done` also if the response was cut off or the client has
 *   disconnected
 */
function forward(incoming, outgoing, backend, { isRepeatable, agent }) {
  return new Promise(resolve => {
    let isConnected = false
    let hasResponded = false
    const upstream = callBackend({
      ...backend.target,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...withoutHopByHop(incoming.headers),
        'x-forwarded-for': [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress]
          .filter(Boolean)
          .join(', '),
      },
    })
    const giveUp = () => upstream.destroy(new Error('the process is down'))
    const finish = outcome => {
      backend.load--
      backend.waiting.delete(giveUp)
      outgoing.off('close', abortUpstream)
      resolve(outcome)
    }
    const abortUpstream = () => upstream.destroy()
    backend.load++
    outgoing.on('close', abortUpstream)
    if (isRepeatable) backend.waiting.add(giveUp)

    upstream.on('response', response => {
      hasResponded = true
      backend.waiting.delete(giveUp)
      outgoing.writeHead(response.statusCode ?? 502, withoutHopByHop(response.headers))
      response.pipe(outgoing)
      response.on('close', () => {
        if (!response.complete) outgoing.destroy()
        finish('done')
      })
    })
    upstream.on('error', error => {
      if (hasResponded) return
      if (outgoing.destroyed) return finish('done')
      if (isRepeatable && upstream.reusedSocket && error.message !== 'the process is down')
        return finish('stale')
      backend.markDown()
      finish(isConnected ? 'lost' : 'unsent')
    })
    upstream.on('socket', socket => {
      const begin = () => {
        isConnected = true
        if (isRepeatable) upstream.end()
        else incoming.pipe(upstream)
      }
      if (socket.connecting) socket.once('connect', begin)
      else begin()
    })
  })
}

const UNAVAILABLE = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  error: 'The service is busy right now. Nothing was changed. Please try again in a moment.',
}
const BACKEND_LOST = {
  status: 502,
  code: 'INTERNAL_ERROR',
  error:
    'The connection was lost before we got an answer. Check whether your change was saved before you try again.',
}

/** Sends an error in the API's format. */
function refuse(outgoing, { status, code, error }) {
  if (outgoing.destroyed) return
  const request_id = randomUUID()
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
    'x-request-id': request_id,
    connection: 'close',
  })
  outgoing.end(JSON.stringify({ error, code, request_id }))
}
