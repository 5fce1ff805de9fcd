import type { Tx } from '../db/database.ts'
import { jobLeases } from '../db/schema/operations.ts'

/** Writes the same single row each time, to show that the database accepts writes. */
export async function recordProbe(db: Tx, { at }: { at: number }): Promise<void> {
  await db
    .insert(jobLeases)
    .values({ name: 'health', leaseUntil: at, lastRunAt: at })
    .onConflictDoUpdate({ target: jobLeases.name, set: { lastRunAt: at } })
}
