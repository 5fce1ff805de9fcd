/** How far the clocks of processes that share a database may differ, in milliseconds. */
export const CLOCK_SKEW = 5 * 60_000
