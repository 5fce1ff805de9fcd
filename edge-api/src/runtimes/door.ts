/*
 * How a server stops listening without anyone being turned away half-served. Whoever connects in the moment in which
 * a listening socket closes is reset by the system, and a busy process always has someone waiting there. So requests are
 * held for a moment first: callers who wait for an answer do not connect anew, and the door closes with nobody in it.
 */

type Serve<Peer> = (request: Request, peer: Peer) => Response | Promise<Response>

/** How long nobody may have come or gone before the door is closed, in milliseconds: who has their answer comes again. */
const QUIET = 100
/** Requests are held no longer than this, whoever goes on coming, and however long someone is served. */
const LONGEST_HOLD = 2000
const LOOK_EVERY = 10

/** Stands before a server's handler. */
export class Door<Peer> {
  readonly #serve: Serve<Peer>
  #held: Promise<void> | undefined
  #closing = false
  #movedAt = 0
  #served = 0

  constructor(serve: Serve<Peer>) {
    this.#serve = serve
  }

  /** What the server is to call. */
  readonly enter = async (request: Request, peer: Peer): Promise<Response> => {
    if (this.#closing) this.#movedAt = performance.now()
    if (this.#held) await this.#held
    this.#served++
    try {
      const answer = await this.#serve(request, peer)
      // Else a caller would send the next request on a connection that is about to end.
      if (this.#closing) answer.headers.set('Connection', 'close')
      return answer
    } finally {
      this.#served--
      if (this.#closing) this.#movedAt = performance.now()
    }
  }

  /**
   * Holds the requests that come, lets `close` end the listening, and serves those who are inside.
   * @param close ends the listening before it returns; resolves when every request inside has its answer
   */
  async shut(close: () => Promise<void>): Promise<void> {
    this.#closing = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    const began = performance.now()
    this.#movedAt = began
    const moves = (now: number) => this.#served > 0 || now - this.#movedAt < QUIET
    for (let now = began; now - began < LONGEST_HOLD && moves(now); now = performance.now())
      await new Promise(look => setTimeout(look, LOOK_EVERY))
    const served = close()
    this.#held = undefined
    resolve()
    await served
  }
}
