/*
 * Stops a server so that every client still gets a complete response. When a listening socket closes, the operating system
 * resets connections that are just arriving, and a busy server always has some. Before it closes, new requests are therefore
 * held for a moment: clients that wait for a response open no new connections.
 */

type Serve<Peer> = (request: Request, peer: Peer) => Response | Promise<Response>

/** How long there must be no request that starts or ends before the listening socket is closed, in milliseconds. */
const IDLE_TIME_MS = 250
/** Maximum time for which requests are held, in milliseconds. */
const MAX_HOLD_MS = 2000
const POLL_MS = 10

/** Counts a server's requests, and can hold new ones. */
export class GracefulShutdown<Peer> {
  readonly #serve: Serve<Peer>
  #held: Promise<void> | undefined
  #closing = false
  #lastActivityAt = 0
  #inProgress = 0

  constructor(serve: Serve<Peer>) {
    this.#serve = serve
  }

  /** Serves a request; if requests are being held, waits until they are released. */
  readonly handle = async (request: Request, peer: Peer): Promise<Response> => {
    if (this.#closing) this.#lastActivityAt = performance.now()
    if (this.#held) await this.#held
    this.#inProgress++
    try {
      const response = await this.#serve(request, peer)
      // Otherwise the client would send its next request on a connection that is about to close.
      if (this.#closing) response.headers.set('Connection', 'close')
      return response
    } finally {
      this.#inProgress--
      if (this.#closing) this.#lastActivityAt = performance.now()
    }
  }

  /**
   * Holds new requests, calls `close`, and then serves the held ones.
   * @param close stops listening immediately; its promise resolves when every request has its response
   */
  async stop(close: () => Promise<void>): Promise<void> {
    this.#closing = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    const startedAt = performance.now()
    this.#lastActivityAt = startedAt
    const isActive = (now: number) => this.#inProgress > 0 || now - this.#lastActivityAt < IDLE_TIME_MS
    for (let now = startedAt; now - startedAt < MAX_HOLD_MS && isActive(now); now = performance.now())
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    const closed = close()
    this.#held = undefined
    resolve()
    await closed
  }
}
