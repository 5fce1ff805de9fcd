/* Counts the open requests of this process, so that background work can give way to them. */

/** How long the process still counts as busy after a request, because more requests often follow. */
const RECENT_MS = 30

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
export const areRequestsOpen = (): boolean => open > 0 || performance.now() - endedAt < RECENT_MS
