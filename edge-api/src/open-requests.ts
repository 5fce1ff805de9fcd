/* Counts the open requests of this process, so that background work can yield to them. */

/** How long the process still counts as busy after a request, in milliseconds, because another one often follows. */
const RECENT_MS = 30

let open = 0
let endedAt = Number.NEGATIVE_INFINITY

/** Counts a request as open until the returned function is called. */
export function countRequest(): () => void {
  open++
  return () => {
    open--
    endedAt = performance.now()
  }
}

/** True while the process is handling requests, and shortly afterwards. */
export const areRequestsOpen = (): boolean => open > 0 || performance.now() - endedAt < RECENT_MS
