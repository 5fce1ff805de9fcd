/*
 * Stopping without turning anyone away half-served. The system resets whoever connects in the moment in which a
 * listening socket closes; so requests are held for a moment first: callers who wait do not connect anew.
 */

type Handler = (request: Request) => Response | Promise<Response>

/** How long nobody may have come or gone before the door closes, and the longest that requests are held, ms. */
const quietMs = 100
const longestHoldMs = 2000

export function createDoor(serve: Handler) {
  let held: Promise<void> | undefined
  let closing = false
  let movedAt = 0
  let inside = 0
  return {
    async enter(request: Request): Promise<Response> {
      movedAt = performance.now()
      if (held) await held
      inside += 1
      try {
        const answer = await serve(request)
        if (closing) answer.headers.set('connection', 'close')
        return answer
      } finally {
        inside -= 1
        movedAt = performance.now()
      }
    },
    /** `close` ends the listening before it returns, and resolves when everyone inside has been served. */
    async shut(close: () => Promise<void>): Promise<void> {
      closing = true
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      const began = performance.now()
      movedAt = began
      const moves = (now: number) => inside > 0 || now - movedAt < quietMs
      for (let now = began; now - began < longestHoldMs && moves(now); now = performance.now())
        await new Promise(look => setTimeout(look, 10))
      const served = close()
      held = undefined
      resolve()
      await served
    },
  }
}
