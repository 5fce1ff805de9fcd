/** How long the process that works on an upload may be silent before another takes over, in milliseconds. */
export const LEASE = 15_000
/** The same while a file arrives: a slow line may be silent for a while. */
export const RECEIVE_LEASE = 120_000
