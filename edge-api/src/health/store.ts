import type { Tx } from '../db/database.ts'
import { jobLeases } from '../db/schema/operations.ts'

/** Writes to the database, always the same single row, to find out whether writes work. */
export async function recordProbe(db: Tx, { at }: { at: number }): Promise<void> {
  await db
    .insert(jobLeases)
    .values({ name: 'health', leaseUntil: at, lastRunAt: at })
    .onConflictDoUpdate({ target: jobLeases.name, set: { lastRunAt: at } })
}
