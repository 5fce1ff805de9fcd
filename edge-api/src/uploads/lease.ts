/** How long the process that works on an upload may fail to renew its lease before another takes over, in milliseconds. */
export const LEASE_MS = 15_000
/**
 * The lease while a file is being received, in milliseconds. It is longer, because nothing may arrive for a while on a slow
 * connection.
 */
export const RECEIVE_LEASE_MS = 120_000
