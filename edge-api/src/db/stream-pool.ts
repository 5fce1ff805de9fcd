/*
 * Keeps streams to a libSQL server open, so that later reads and transactions can reuse them (decision 141). A server opens a
 * connection for each stream and first reads the whole schema, which takes longer than most transactions, but the driver opens
 * a stream for each read and each transaction, and closes it afterwards.
 */

/** Maximum number of streams per client, including those in use. A server has 128 connections for all clients. */
const MAX_STREAMS = 8
/** How long an unused stream is kept, in milliseconds. Servers close a stream after 10 s. */
const MAX_IDLE_MS = 5000
/**
 * A stream that was in use for longer than this, in milliseconds, is not reused. If a transaction holds the lock for 5 s while
 * another one waits, the server rejects the stream's next request, even if the transaction has just been committed.
 */
const MAX_USE_MS = 4000

/** A request of the driver, in the protocol hrana 2 as JSON. */
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
/** A statement of a request; `sql_id` is the number of a text that the driver has stored in the stream. */
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
  /** SQL texts that the driver has stored in this stream, by number. */
  texts: Map<number, string>
  isReusable: boolean
  /** When the stream was last taken from the pool or returned to it. */
  since: number
}

function readStatements(request: StreamRequest): Statement[] {
  if (request.type === 'batch') return request.batch.steps.map(({ stmt }) => stmt)
  return request.type === 'execute' ? [request.stmt] : []
}

/**
 * Replaces the numbers of stored texts with the texts themselves: a server stores only 50 texts per stream, and a reused stream
 * would need more.
 */
function inlineTexts(requests: readonly StreamRequest[], texts: Map<number, string>): void {
  for (const request of requests) {
    if (request.type === 'store_sql') texts.set(request.sql_id, request.sql)
    for (const statement of readStatements(request)) {
      const text = statement.sql_id === undefined ? undefined : texts.get(statement.sql_id)
      if (text === undefined) continue
      statement.sql = text
      delete statement.sql_id
    }
  }
}

/** True if the requests may change settings of the connection, which must then not be reused. */
const changesConnection = (requests: readonly StreamRequest[]) =>
  requests.some(
    request =>
      request.type === 'sequence' || readStatements(request).some(({ sql }) => /^\s*pragma/i.test(sql ?? '')),
  )

/**
 * True if the stream's last response shows that no transaction is open. The driver also rolls back after a commit; that
 * rollback fails, which shows that there is none.
 */
const hasNoTransaction = ({ base_url, results }: PipelineResponse): boolean =>
  base_url === null &&
  results.every(result =>
    result.type === 'ok'
      ? (result.response.result?.step_errors ?? []).every(error => error === null)
      : result.error.message.includes('no transaction is active'),
  )

/** The pool of one client's streams. */
class StreamPool {
  /** Streams in use by the driver, by the baton of their next request. */
  readonly #inUse = new Map<string, Stream>()
  readonly #unused: Stream[] = []
  #count = 0
  #maxStreams = MAX_STREAMS

  /**
   * Returns the stream for a request, or undefined if the request belongs to a stream outside the pool, or no stream is
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
    if (stream && now - stream.since < MAX_IDLE_MS) return { ...stream, since: now }
    // If even the newest unused stream is too old, all others are too.
    if (stream) this.#count -= this.#unused.splice(0).length + 1
    if (this.#count >= this.#maxStreams) return undefined
    this.#count++
    return { baton: undefined, texts: new Map(), isReusable: true, since: now }
  }

  /** Registers a stream in use under the baton of its next request. */
  use(baton: string, stream: Stream): void {
    stream.baton = baton
    this.#inUse.set(baton, stream)
  }

  /** Adds a stream that is no longer in use, for later requests. */
  keep(baton: string): void {
    this.#unused.push({ baton, texts: new Map(), isReusable: true, since: performance.now() })
  }

  /** Removes one stream from the count of open streams. */
  removeOne(): void {
    this.#count--
  }

  /** Stops adding streams to the pool: from now on, the driver opens and closes all new ones itself. */
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
    // Requests uncompressed responses, because compressing and decompressing one takes longer than receiving it from a nearby
    // server.
    headers.set('accept-encoding', 'identity')
    const text = await request.text()
    const post = (body: string) => send(url, { method, headers, body })
    // If this request gets lost, the server closes the stream after 10 s.
    const close = (baton: string) =>
      post(JSON.stringify({ baton, requests: [{ type: 'close' }] })).catch(() => undefined)
    const { baton, requests } = JSON.parse(text) as Pipeline
    const stream = streams.take(baton)
    if (!stream) return await post(text)

    inlineTexts(requests, stream.texts)
    if (changesConnection(requests)) stream.isReusable = false
    // A request that does nothing but close the stream may end an open transaction, so it is always sent.
    const isPooled = stream.isReusable && requests.length > 1 && requests.at(-1)?.type === 'close'
    const isSent = ({ type }: StreamRequest) =>
      type !== 'store_sql' && type !== 'close_sql' && !(isPooled && type === 'close')
    const sendWith = (streamBaton?: string) =>
      post(JSON.stringify({ baton: streamBaton, requests: requests.filter(isSent) }))

    let isOpen = false
    try {
      let response = await sendWith(stream.baton)
      // The server was restarted or has closed the stream, so it executed nothing, and the request is repeated on a new stream.
      if (response.status === 400 && !baton && stream.baton) response = await sendWith()
      if (!response.ok) return response
      const pipelineResponse = (await response.json()) as PipelineResponse
      // This server gives each stream its own address, so streams cannot be pooled.
      if (pipelineResponse.base_url !== null) streams.stopPooling()
      const nextBaton = pipelineResponse.baton
      if (nextBaton !== null) {
        isOpen =
          !isPooled || (hasNoTransaction(pipelineResponse) && performance.now() - stream.since < MAX_USE_MS)
        if (!isPooled) streams.use(nextBaton, stream)
        else if (isOpen) streams.keep(nextBaton)
        else await close(nextBaton)
      }
      const results = pipelineResponse.results.values()
      const body: PipelineResponse = {
        ...pipelineResponse,
        baton: isPooled ? null : nextBaton,
        results: requests.map(item =>
          isSent(item) ? (results.next().value as Result) : { type: 'ok', response: { type: item.type } },
        ),
      }
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    } finally {
      if (!isOpen) streams.removeOne()
    }
  }
}
