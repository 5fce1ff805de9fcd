/*
 * A libSQL server opens a connection for each stream and first reads the whole schema, which takes longer than most
 * transactions. The driver opens a stream for each read and each transaction, and closes it afterwards. This `fetch`
 * keeps streams open so that later reads and transactions can reuse them (decision 141).
 */

/** Maximum number of streams per client, including those in use. A server has 128 connections for all clients. */
const MAX_STREAMS = 8
/** How long an unused stream is kept, in milliseconds. Servers close it after 10 s. */
const MAX_IDLE = 5000
/**
 * A stream that was in use for longer than this is not reused, in milliseconds. If a transaction holds the lock for 5 s
 * while another one waits, the server refuses the stream's next request, even if the transaction has just been
 * committed.
 */
const MAX_USE = 4000

/** A request of the driver: hrana 2 as JSON. */
interface Pipeline {
  /** Identifies the stream; missing for a new one. */
  baton?: string
  requests: StreamRequest[]
}
type StreamRequest =
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'execute'; stmt: Statement }
  | { type: 'batch'; batch: { steps: { stmt: Statement }[] } }
  | { type: 'close_sql' | 'close' | 'sequence' | 'describe' }
/** `sql_id` is the number of a text that is stored in the stream. */
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
  /** Texts that the driver has stored in this stream, by number. */
  texts: Map<number, string>
  isReusable: boolean
  /** When the stream was last taken from the pool or returned to it. */
  since: number
}

function statementsOf(request: StreamRequest): Statement[] {
  if (request.type === 'batch') return request.batch.steps.map(({ stmt }) => stmt)
  return request.type === 'execute' ? [request.stmt] : []
}

/**
 * Replaces the numbers of stored texts with the texts. A server only stores 50 texts per stream, and a reused stream
 * would need more.
 */
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

/** True if requests may change the connection's settings, so that it differs from a new one. */
const changesConnection = (requests: readonly StreamRequest[]) =>
  requests.some(
    request =>
      request.type === 'sequence' || statementsOf(request).some(({ sql }) => /^\s*pragma/i.test(sql ?? '')),
  )

/**
 * True if the stream's last response shows that no transaction is open. The driver also rolls back after a commit,
 * which then fails.
 */
const hasNoTransaction = ({ base_url, results }: PipelineResponse): boolean =>
  base_url === null &&
  results.every(result =>
    result.type === 'ok'
      ? (result.response.result?.step_errors ?? []).every(error => error === null)
      : result.error.message.includes('no transaction is active'),
  )

/** The streams of one client. */
class StreamPool {
  /** Streams that the driver uses, by the baton of their next request. */
  readonly #inUse = new Map<string, Stream>()
  readonly #unused: Stream[] = []
  #count = 0
  #maxStreams = MAX_STREAMS

  /**
   * Returns the stream for a request, or undefined if the request's stream is not in the pool and no other is
   * available.
   */
  take(baton: string | undefined): Stream | undefined {
    if (baton !== undefined) {
      const stream = this.#inUse.get(baton)
      this.#inUse.delete(baton)
      return stream
    }
    const now = performance.now()
    const stream = this.#unused.pop()
    if (stream && now - stream.since < MAX_IDLE) return { ...stream, since: now }
    // If even the newest unused stream is too old, all others are too.
    if (stream) this.#count -= this.#unused.splice(0).length + 1
    if (this.#count >= this.#maxStreams) return undefined
    this.#count++
    return { baton: undefined, texts: new Map(), isReusable: true, since: now }
  }

  /** Stores a stream that the driver is using, under the baton of its next request. */
  use(baton: string, stream: Stream): void {
    stream.baton = baton
    this.#inUse.set(baton, stream)
  }

  keep(baton: string): void {
    this.#unused.push({ baton, texts: new Map(), isReusable: true, since: performance.now() })
  }

  forget(): void {
    this.#count--
  }

  /** From now on, the driver opens and closes all new streams itself. */
  stopPooling(): void {
    this.#maxStreams = 0
  }
}

/**
 * Returns a `fetch` for the driver's client of one database server.
 * @param send sends a request to the server
 */
export function pooledStreams(send: typeof fetch): typeof fetch {
  const streams = new StreamPool()

  return async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers } = request
    // Compressing and decompressing a response takes longer than receiving it from a nearby server.
    headers.set('accept-encoding', 'identity')
    const text = await request.text()
    const post = (body: string) => send(url, { method, headers, body })
    // If this request is lost, the server closes the stream after 10 s.
    const close = (baton: string) =>
      post(JSON.stringify({ baton, requests: [{ type: 'close' }] })).catch(() => undefined)
    const { baton, requests } = JSON.parse(text) as Pipeline
    const stream = streams.take(baton)
    if (!stream) return await post(text)

    inlineTexts(requests, stream.texts)
    if (changesConnection(requests)) stream.isReusable = false
    // A request that only closes the stream may end an open transaction, so it is always sent.
    const isPooled = stream.isReusable && requests.length > 1 && requests.at(-1)?.type === 'close'
    const isSent = ({ type }: StreamRequest) =>
      type !== 'store_sql' && type !== 'close_sql' && !(isPooled && type === 'close')
    const sendWith = (from?: string) =>
      post(JSON.stringify({ baton: from, requests: requests.filter(isSent) }))

    let isOpen = false
    try {
      let response = await sendWith(stream.baton)
      // The server was restarted or closed the stream, so it executed nothing, and a new stream is tried.
      if (response.status === 400 && !baton && stream.baton) response = await sendWith()
      if (!response.ok) return response
      const received = (await response.json()) as PipelineResponse
      // This server gives each stream its own address.
      if (received.base_url !== null) streams.stopPooling()
      const next = received.baton
      if (next !== null) {
        isOpen = !isPooled || (hasNoTransaction(received) && performance.now() - stream.since < MAX_USE)
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
