import type { Tx } from '../db/database.ts'
import { activityLog } from '../db/schema.ts'

/** One entry of the activity log; `userId` is null for what the system did by itself. */
export interface Activity {
  userId: string | null
  userEmail: string | null
  /** What happened, e.g. `Certificate created`. */
  activity: string
  details?: string
  ipAddress?: string | null
  requestId?: string | null
  at: number
}

/** Writes one entry, in the transaction of the change that it tells of. */
export async function record(db: Tx, entry: Activity): Promise<void> {
  await db.insert(activityLog).values(entry)
}
