/*
 * A libSQL server opens a connection for each stream, which first reads the whole schema: that takes longer than most
 * transactions. The driver opens a stream for each read and each transaction, and closes it afterwards. This `fetch` leaves
 * streams open for later ones (decision 141).
 */

/** Most streams that a client keeps, including those in use: a server has 128 connections for all clients. */
const MAX_STREAMS = 8
/** How long an unused stream can be used again, in milliseconds. Servers close it after 10 s. */
const MAX_IDLE = 5000
/**
 * Longest use after which a stream can be used again, in milliseconds. If a transaction holds the lock for 5 s while another one
 * waits, the server refuses the stream's next request, even if the transaction was committed just before.
 */
const MAX_USE = 4000

/** A request of the driver: hrana 2 as JSON. */
interface Pipeline {
  /** The stream; missing for a new one. */
  baton?: string
  requests: StreamRequest[]
}
type StreamRequest =
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'execute'; stmt: Statement }
  | { type: 'batch'; batch: { steps: { stmt: Statement }[] } }
  | { type: 'close_sql' | 'close' | 'sequence' | 'describe' }
/** `sql_id` is the number of a text that its stream has stored. */
interface Statement {
  sql?: string
  sql_id?: number
}
interface PipelineResponse {
  /** Baton of the stream's next request; null once the stream is closed. */
  baton: string | null
  base_url: string | null
  results: Result[]
}
type Result =
  | { type: 'ok'; response: { type: string; result?: { step_errors?: unknown[] } } }
  | { type: 'error'; error: { message: string } }

interface Stream {
  /** Baton of the stream's next request; undefined for a new stream. */
  baton: string | undefined
  /** Texts that the driver has stored since it took the stream. */
  texts: Map<number, string>
  isReusable: boolean
  /** When it was last taken, or last returned to the pool. */
  since: number
}

function statementsOf(request: StreamRequest): Statement[] {
  if (request.type === 'batch') return request.batch.steps.map(({ stmt }) => stmt)
  return request.type === 'execute' ? [request.stmt] : []
}

/** Puts stored texts into statements: a server stores 50 texts per stream, and a kept one would need more. */
function inlineTexts(requests: readonly StreamRequest[], texts: Map<number, string>): void {
  for (const request of requests) {
    if (request.type === 'store_sql') texts.set(request.sql_id, request.sql)
    for (const statement of statementsOf(request)) {
      const text = statement.sql_id === undefined ? undefined : texts.get(statement.sql_id)
      if (text === undefined) continue
      statement.sql = text
      delete statement.sql_id
    }
  }
}

/** Whether requests may leave a connection different from a new one, apart from a transaction. */
const changesConnection = (requests: readonly StreamRequest[]) =>
  requests.some(
    request =>
      request.type === 'sequence' || statementsOf(request).some(({ sql }) => /^\s*pragma/i.test(sql ?? '')),
  )

/** Whether the last response of a stream shows that no transaction is open. The driver also rolls back after a commit. */
const isAsNew = ({ base_url, results }: PipelineResponse): boolean =>
  base_url === null &&
  results.every(result =>
    result.type === 'ok'
      ? (result.response.result?.step_errors ?? []).every(error => error === null)
      : result.error.message.includes('no transaction is active'),
  )

/** The streams of one client. */
class StreamPool {
  /** Streams that the driver uses, by the baton of their next request. */
  readonly #used = new Map<string, Stream>()
  readonly #unused: Stream[] = []
  #count = 0
  #most = MAX_STREAMS

  /** Returns the stream of a request; undefined if it is not one of these. */
  take(baton: string | undefined): Stream | undefined {
    if (baton !== undefined) {
      const stream = this.#used.get(baton)
      this.#used.delete(baton)
      return stream
    }
    const now = performance.now()
    const stream = this.#unused.pop()
    if (stream && now - stream.since < MAX_IDLE) return { ...stream, since: now }
    // The newest unused stream is already too old, so all others are, too.
    if (stream) this.#count -= this.#unused.splice(0).length + 1
    if (this.#count >= this.#most) return undefined
    this.#count++
    return { baton: undefined, texts: new Map(), isReusable: true, since: now }
  }

  /** Stores a stream that the driver is using, under the baton of its next request. */
  use(baton: string, stream: Stream): void {
    stream.baton = baton
    this.#used.set(baton, stream)
  }

  keep(baton: string): void {
    this.#unused.push({ baton, texts: new Map(), isReusable: true, since: performance.now() })
  }

  forget(): void {
    this.#count--
  }

  /** From now on, the driver opens and closes its streams itself. */
  stopPooling(): void {
    this.#most = 0
  }
}

/**
 * A `fetch` for the driver's client of one database server.
 * @param send sends a request to the server
 */
export function pooledStreams(send: typeof fetch): typeof fetch {
  const streams = new StreamPool()

  return async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers } = request
    // Compressing a response and reading it takes longer than sending it from a server nearby.
    headers.set('accept-encoding', 'identity')
    const text = await request.text()
    const post = (body: string) => send(url, { method, headers, body })
    // If it is lost, the server closes the stream after 10 s.
    const close = (baton: string) =>
      post(JSON.stringify({ baton, requests: [{ type: 'close' }] })).catch(() => undefined)
    const { baton, requests } = JSON.parse(text) as Pipeline
    const stream = streams.take(baton)
    if (!stream) return await post(text)

    inlineTexts(requests, stream.texts)
    if (changesConnection(requests)) stream.isReusable = false
    // A close without anything before it may end an open transaction.
    const isPooled = stream.isReusable && requests.length > 1 && requests.at(-1)?.type === 'close'
    const isSent = ({ type }: StreamRequest) =>
      type !== 'store_sql' && type !== 'close_sql' && !(isPooled && type === 'close')
    const sendWith = (from?: string) =>
      post(JSON.stringify({ baton: from, requests: requests.filter(isSent) }))

    let isOpen = false
    try {
      let response = await sendWith(stream.baton)
      // The server has restarted or closed the stream, and has executed nothing.
      if (response.status === 400 && !baton && stream.baton) response = await sendWith()
      if (!response.ok) return response
      const received = (await response.json()) as PipelineResponse
      // Streams of this host have addresses of their own.
      if (received.base_url !== null) streams.stopPooling()
      const next = received.baton
      if (next !== null) {
        isOpen = !isPooled || (isAsNew(received) && performance.now() - stream.since < MAX_USE)
        if (!isPooled) streams.use(next, stream)
        else if (isOpen) streams.keep(next)
        else await close(next)
      }
      const results = received.results.values()
      const body: PipelineResponse = {
        ...received,
        baton: isPooled ? null : next,
        results: requests.map(each =>
          isSent(each) ? (results.next().value as Result) : { type: 'ok', response: { type: each.type } },
        ),
      }
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    } finally {
      if (!isOpen) streams.forget()
    }
  }
}
