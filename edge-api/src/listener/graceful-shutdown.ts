/*
 * Stops a server so that every client gets a complete response. The system resets connections that arrive while
 * a listening socket closes, and a busy process always has some. So requests are held for a moment first,
 * because clients that wait for a response do not connect again.
 */

type Serve<Peer> = (request: Request, peer: Peer) => Response | Promise<Response>

/** How long no request may have started or ended before listening stops, in milliseconds. */
const IDLE_TIME = 100
/** Longest time for which requests are held, in milliseconds. */
const MAX_HOLD = 2000
const POLL_MS = 10

/** Counts and holds the requests of a server. */
export class GracefulShutdown<Peer> {
  readonly #serve: Serve<Peer>
  #held: Promise<void> | undefined
  #closing = false
  #movedAt = 0
  #served = 0

  constructor(serve: Serve<Peer>) {
    this.#serve = serve
  }

  /** Answers a request; waits while requests are held. */
  readonly enter = async (request: Request, peer: Peer): Promise<Response> => {
    if (this.#closing) this.#movedAt = performance.now()
    if (this.#held) await this.#held
    this.#served++
    try {
      const response = await this.#serve(request, peer)
      // Otherwise a client would send the next request on a connection that is about to close.
      if (this.#closing) response.headers.set('Connection', 'close')
      return response
    } finally {
      this.#served--
      if (this.#closing) this.#movedAt = performance.now()
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
    this.#movedAt = began
    const isActive = (now: number) => this.#served > 0 || now - this.#movedAt < IDLE_TIME
    for (let now = began; now - began < MAX_HOLD && isActive(now); now = performance.now())
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    const served = close()
    this.#held = undefined
    resolve()
    await served
  }
}
