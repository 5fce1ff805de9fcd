const MINUTE = 60_000

/** Longest delay before a delayed item is retried, in milliseconds. */
export const MAX_WAIT_MS = 6 * 60 * MINUTE
/** Maximum reduction of a delay by jitter, so that items that failed together are not retried together. */
const JITTER = 0.2

/**
 * Delay of an item after a failed attempt, in milliseconds: one minute, doubled with each attempt, capped.
 * @param attempts failed so far, from 1
 * @param random in [0, 1)
 */
export function backoff(attempts: number, random: number): number {
  const wait = Math.min(MINUTE * 2 ** Math.min(attempts - 1, 20), MAX_WAIT_MS)
  return Math.round(wait * (1 - JITTER * random))
}

/** A callback whose processing failed this often is no longer retried; scheduled requeries replace it. */
export const MAX_HINT_ATTEMPTS = 20
