/** How long the process that works on an upload may be silent before another takes over, in milliseconds. */
export const LEASE_MS = 15_000
/** The lease while a file arrives, in milliseconds: longer, because a slow connection may be silent for a while. */
export const RECEIVE_LEASE = 120_000
