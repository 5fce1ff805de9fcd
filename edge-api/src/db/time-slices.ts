import type { Tx } from './database.ts'

/** A transaction of a driver that blocks the process while it runs. */
export interface TimeSliced {
  /** Lets others be answered more often than usual, which makes the transaction slower. */
  useShortTimeSlices(): void
}

/** Makes room for others while a transaction of background work runs; on a server it blocks no one. */
export function useShortTimeSlices(db: Tx): void {
  // Drizzle has no public accessor for the transaction.
  const { session } = db as { session?: { tx?: Partial<TimeSliced> } }
  session?.tx?.useShortTimeSlices?.()
}
