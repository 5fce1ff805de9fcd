const MINUTE = 60_000

/** Longest wait before an item that cannot proceed is tried again, in milliseconds. */
export const LONGEST_WAIT = 6 * 60 * MINUTE
/** How much of a wait jitter may take off, so that items that failed together are not tried together. */
const JITTER = 0.2

/**
 * How long an item waits after an attempt that failed, in milliseconds: one minute, doubled with each attempt, capped.
 * @param attempts failed so far, from 1
 * @param random in [0, 1)
 */
export function backoff(attempts: number, random: number): number {
  const wait = Math.min(MINUTE * 2 ** Math.min(attempts - 1, 20), LONGEST_WAIT)
  return Math.round(wait * (1 - JITTER * random))
}

/** A callback whose processing failed this often is left for the schedule of requeries. */
export const MOST_HINT_ATTEMPTS = 20
