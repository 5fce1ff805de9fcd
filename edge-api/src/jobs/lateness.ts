import {
  lateThresholdMs,
  type QueueName,
  queueNames,
  UNTRIED_LATE_AFTER_MS,
} from '@portal/contract/background-work'
import type { Database } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { countDeferrals, findDeferrals } from '../queues/deferral-store.ts'
import { findDueTime } from './backup/schedule.ts'
import { listOldestDue } from './queue-store.ts'

/* Reports queues that fall behind: items have been failing for too long, or due items have not been attempted. */

export interface QueueState {
  queue: QueueName
  /** Number of items that are deferred after a failure. */
  delayed: number
  /**
   * Number of items that have been deferred for too long, plus one if due items have waited too long for their first attempt.
   */
  late: number
  /** When the item that has been deferred longest first failed. */
  oldestAt: number | undefined
  /** When the oldest due item that was never attempted became due. */
  untriedSince: number | undefined
}

async function readUntriedSince(
  db: Database,
  {
    now,
    environment,
  }: { now: number; environment: Pick<Environment, 'BACKUP_EVERY_HOURS' | 'DATABASE_URL'> },
): Promise<Map<QueueName, number>> {
  const rows = await listOldestDue(db.read)
  const overdue = new Map(rows.flatMap(({ queue, at }) => (at < now ? [[queue, at] as const] : [])))
  const every = environment.BACKUP_EVERY_HOURS * 3_600_000
  // Backups made by the portal are only due if the database is a file.
  if (every > 0 && environment.DATABASE_URL.startsWith('file:')) {
    const at = await findDueTime(db, every, now)
    const deferrals = await findDeferrals(db.read, { queue: 'backup', items: ['backup'] })
    if (at < now && deferrals.size === 0) overdue.set('backup', at)
  }
  return overdue
}

/** Returns the state of every queue. */
export async function readQueueStates(
  db: Database,
  context: { now: number; environment: Pick<Environment, 'BACKUP_EVERY_HOURS' | 'DATABASE_URL'> },
): Promise<QueueState[]> {
  const { now } = context
  const [delayed, untried] = await Promise.all([
    countDeferrals(db.read, { now }),
    readUntriedSince(db, context),
  ])
  return queueNames.map(queue => {
    const delays = delayed.find(item => item.queue === queue)
    const untriedSince = untried.get(queue)
    const isBehind = untriedSince !== undefined && untriedSince < now - UNTRIED_LATE_AFTER_MS
    return {
      queue,
      delayed: delays?.items ?? 0,
      late: (delays?.late ?? 0) + (isBehind ? 1 : 0),
      oldestAt: delays?.oldest,
      untriedSince,
    }
  })
}

/** True if an item that has been failing since this time has been deferred for too long. */
export const isLate = (queue: QueueName, since: number, now: number): boolean =>
  since < now - lateThresholdMs(queue)
