/* The requests of this process, so that background work can make room for them. */

/** How long after a request others are expected, in milliseconds. */
const RECENT = 30

let open = 0
let endedAt = Number.NEGATIVE_INFINITY

/** Counts a request until the returned function is called. */
export function countRequest(): () => void {
  open++
  return () => {
    open--
    endedAt = performance.now()
  }
}

/** True while requests are being answered, and shortly afterwards. */
export const areRequestsOpen = (): boolean => open > 0 || performance.now() - endedAt < RECENT
