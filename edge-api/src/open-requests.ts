/* The requests of this process, so that background work can make room for them. */

/** How long the process still counts as busy after a request, in milliseconds; more requests often follow. */
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
