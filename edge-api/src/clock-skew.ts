/** Maximum tolerated difference between the clocks of processes that share a database, in milliseconds. */
export const MAX_CLOCK_SKEW_MS = 5 * 60_000
