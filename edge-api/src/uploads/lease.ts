/** How long the process that works on an upload may be silent before another takes it over, in milliseconds. */
export const LEASE = 15_000
