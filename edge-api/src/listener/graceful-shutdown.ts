/*
 * Stops a server so that every client gets a complete response. The operating system resets connections that arrive
 * while a listening socket closes, and a busy process always has some. New requests are therefore held for a moment
 * before that, because clients that wait for a response open no new connections.
 */

type Serve<Peer> = (request: Request, peer: Peer) => Response | Promise<Response>

/** How long no request must have started or ended before listening stops, in milliseconds. */
const IDLE_TIME = 100
/** Maximum time for which requests are held, in milliseconds. */
const MAX_HOLD = 2000
const POLL_MS = 10

/** Counts and holds the requests of a server. */
export class GracefulShutdown<Peer> {
  readonly #serve: Serve<Peer>
  #held: Promise<void> | undefined
  #closing = false
  #lastActivityAt = 0
  #inProgress = 0

  constructor(serve: Serve<Peer>) {
    this.#serve = serve
  }

  /** Serves a request, after waiting while requests are held. */
  readonly enter = async (request: Request, peer: Peer): Promise<Response> => {
    if (this.#closing) this.#lastActivityAt = performance.now()
    if (this.#held) await this.#held
    this.#inProgress++
    try {
      const response = await this.#serve(request, peer)
      // Without this, the client would send its next request on a connection that is about to close.
      if (this.#closing) response.headers.set('Connection', 'close')
      return response
    } finally {
      this.#inProgress--
      if (this.#closing) this.#lastActivityAt = performance.now()
    }
  }

  /**
   * Holds new requests, lets `close` stop listening, and then serves the held ones.
   * @param close stops listening before it returns; resolves when every request has its response
   */
  async stop(close: () => Promise<void>): Promise<void> {
    this.#closing = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    const began = performance.now()
    this.#lastActivityAt = began
    const isActive = (now: number) => this.#inProgress > 0 || now - this.#lastActivityAt < IDLE_TIME
    for (let now = began; now - began < MAX_HOLD && isActive(now); now = performance.now())
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    const served = close()
    this.#held = undefined
    resolve()
    await served
  }
}
