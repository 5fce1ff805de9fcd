/** How far the clocks of processes that share a database may differ, in milliseconds. */
export const MAX_CLOCK_SKEW_MS = 5 * 60_000
