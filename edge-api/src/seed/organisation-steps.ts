import { chunks } from '../db/chunks.ts'
import type { Tx } from '../db/database.ts'
import { activityLog } from '../db/schema/activity.ts'

/** Something that happened in the demo's past, with its time. */
export interface Step {
  at: number
  run: (db: Tx) => Promise<void>
}

/**
 * Writes entries of the activity log, and runs steps that write others, oldest first, because the log is read in the order of
 * its IDs.
 */
export async function writeInOrder(
  db: Tx,
  entries: readonly (typeof activityLog.$inferInsert)[],
  steps: readonly Step[],
): Promise<void> {
  let waiting = entries.toSorted((a, b) => a.at - b.at)
  const writeUntil = async (at: number) => {
    const due = waiting.filter(entry => entry.at <= at)
    waiting = waiting.slice(due.length)
    for (const rows of chunks(due)) await db.insert(activityLog).values(rows)
  }
  for (const { at, run } of steps.toSorted((a, b) => a.at - b.at)) {
    await writeUntil(at)
    await run(db)
  }
  await writeUntil(Number.POSITIVE_INFINITY)
}
