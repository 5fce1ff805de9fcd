const MINUTE = 60_000

/** Longest delay before a deferred item is retried, in milliseconds. */
export const MAX_WAIT_MS = 6 * 60 * MINUTE
/** By how much jitter can shorten a delay, as a share of it, so that items that failed together are not retried together. */
const JITTER = 0.2

/**
 * Returns the delay of an item after a failed attempt, in milliseconds: one minute, doubled with each attempt, up to
 * `MAX_WAIT_MS`.
 * @param attempts number of failed attempts so far, at least 1
 * @param random a number in [0, 1) for the jitter
 */
export function backoff(attempts: number, random: number): number {
  const wait = Math.min(MINUTE * 2 ** Math.min(attempts - 1, 20), MAX_WAIT_MS)
  return Math.round(wait * (1 - JITTER * random))
}

/** Number of failed attempts after which a callback is no longer retried. Scheduled requeries then update the payment. */
export const MAX_CALLBACK_ATTEMPTS = 20
