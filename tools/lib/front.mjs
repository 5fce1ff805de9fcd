// One address before several API processes: each request goes to one that answers its health check and has least to do.
// A read that breaks off is asked of another; a write goes to another only when nothing of it had been sent.
import { randomUUID } from 'node:crypto'
import { Agent, request as callBackend, createServer } from 'node:http'

/** How often each process is asked whether it is there, and how long it may take, in milliseconds. */
const CHECK_EVERY = 500
const CHECK_TIMEOUT = 2000
/** How long a request waits for a process when none answers, in milliseconds. */
const PATIENCE = 3000

/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
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

const passedOn = headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))

class Backend {
  up = false
  /** Requests under way. */
  load = 0
  /** Ends the wait of each read that it has not begun to answer. */
  waiting = new Set()
  #missed = 0

  constructor(address) {
    this.url = address
    const { hostname, port } = new URL(address)
    this.target = { host: hostname, port: Number(port) }
  }

  async check() {
    const answer = await fetch(`${this.url}/api/health`, {
      signal: AbortSignal.timeout(CHECK_TIMEOUT),
    }).catch(error => error)
    if (answer.ok) {
      await answer.body?.cancel()
      this.#missed = 0
      this.up = true
    } else if (answer.name !== 'TimeoutError' || ++this.#missed > 1) this.down()
  }

  /** Nothing more is sent here until it answers again; reads that wait for it are asked elsewhere. */
  down() {
    this.up = false
    for (const giveUp of this.waiting) giveUp()
  }
}

/**
 * Starts the front.
 * @param {{ host: string, port: number, backends: string[] }} options `backends`: addresses, without a path
 * @returns its port, `states()` (which processes answer, by address), and `stop()`
 */
export async function startFront({ host, port, backends: addresses }) {
  const backends = addresses.map(address => new Backend(address))
  const kept = new Agent({ keepAlive: true })
  const checkAll = () => Promise.all(backends.map(backend => backend.check()))
  const timer = setInterval(checkAll, CHECK_EVERY)
  await checkAll()

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, backends, kept)
  })
  // A large file may take its time.
  server.requestTimeout = 0
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(undefined))
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    states: () => Object.fromEntries(backends.map(({ url, up }) => [url, up])),
    async stop() {
      clearInterval(timer)
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
      kept.destroy()
    },
  }
}

/** The least busy process that answers and was not tried yet; waits a moment when there is none. */
async function choose(backends, tried) {
  const deadline = Date.now() + PATIENCE
  for (;;) {
    const ready = backends.filter(backend => backend.up && !tried.has(backend))
    if (ready.length > 0) return ready.reduce((least, each) => (each.load < least.load ? each : least))
    if (backends.some(backend => backend.up) || Date.now() > deadline) return undefined
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function serve(incoming, outgoing, backends, kept) {
  const { method, headers } = incoming
  const hasBody = 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'
  const repeatable = ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody
  const tried = new Set()
  for (;;) {
    const backend = await choose(backends, tried)
    if (!backend) return refuse(outgoing, tried.size > 0 && !repeatable ? LOST : NOBODY)
    const outcome = await pass(incoming, outgoing, backend, { repeatable, agent: repeatable ? kept : false })
    if (outcome === 'done') return
    // A connection that had stood idle says nothing about its process.
    if (outcome !== 'stale') tried.add(backend)
    if (outcome === 'lost' && !repeatable) return refuse(outgoing, LOST)
  }
}

/**
 * Hands a request to a process and its answer back.
 * @returns {Promise<'done' | 'unsent' | 'stale' | 'lost'>} `done` also when the answer broke off in its middle or the
 *   client is gone
 */
function pass(incoming, outgoing, backend, { repeatable, agent }) {
  return new Promise(resolve => {
    let connected = false
    let answered = false
    const upstream = callBackend({
      ...backend.target,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...passedOn(incoming.headers),
        'x-forwarded-for': [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress]
          .filter(Boolean)
          .join(', '),
      },
    })
    const giveUp = () => upstream.destroy(new Error('the process is down'))
    const settle = outcome => {
      backend.load--
      backend.waiting.delete(giveUp)
      outgoing.off('close', abandoned)
      resolve(outcome)
    }
    const abandoned = () => upstream.destroy()
    backend.load++
    outgoing.on('close', abandoned)
    if (repeatable) backend.waiting.add(giveUp)

    upstream.on('response', answer => {
      answered = true
      backend.waiting.delete(giveUp)
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers))
      answer.pipe(outgoing)
      answer.on('close', () => {
        if (!answer.complete) outgoing.destroy()
        settle('done')
      })
    })
    upstream.on('error', error => {
      if (answered) return
      if (outgoing.destroyed) return settle('done')
      if (repeatable && upstream.reusedSocket && error.message !== 'the process is down')
        return settle('stale')
      backend.down()
      settle(connected ? 'lost' : 'unsent')
    })
    upstream.on('socket', socket => {
      const begin = () => {
        connected = true
        if (repeatable) upstream.end()
        else incoming.pipe(upstream)
      }
      if (socket.connecting) socket.once('connect', begin)
      else begin()
    })
  })
}

const NOBODY = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  error: 'The service is busy right now. Nothing was changed. Please try again in a moment.',
}
const LOST = {
  status: 502,
  code: 'INTERNAL_ERROR',
  error: 'The answer was lost on the way. Please look whether it was done before you try again.',
}

/** The same shape as every error of the API. */
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
