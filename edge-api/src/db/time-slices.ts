import type { Tx } from './database.ts'

/** A transaction of a synchronous driver, which blocks the process while a statement runs. */
export interface TimeSliced {
  /** Yields to other requests more often than usual, which makes the transaction slower. */
  useShortTimeSlices(): void
}

/**
 * Makes a transaction of background work yield to other requests more often. Does nothing for a server, where a
 * transaction does not block the process.
 */
export function useShortTimeSlices(db: Tx): void {
  // Drizzle has no public way to get the driver's transaction.
  const { session } = db as { session?: { tx?: Partial<TimeSliced> } }
  session?.tx?.useShortTimeSlices?.()
}
