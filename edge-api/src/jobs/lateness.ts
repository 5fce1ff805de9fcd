import { lateAfter, type QueueName, queueNames, UNTRIED_LATE_AFTER } from '@portal/contract/background-work'
import type { Database } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { countDeferrals, deferralsOf } from '../queues/deferral-store.ts'
import { dueAt } from './backup/schedule.ts'
import { listOldestDue } from './queue-store.ts'

/*
 * Reports queues that fall behind: items that have been unable to proceed for too long, and due items that were not
 * tried.
 */

export interface QueueState {
  queue: QueueName
  /** Items that cannot proceed. */
  delayed: number
  /** Number of delayed items that are late, plus one if items wait too long for an attempt. */
  late: number
  /** Since when the longest delayed item has been unable to proceed. */
  oldestAt: number | undefined
  /** When the oldest item became due that has not been tried since. */
  untriedSince: number | undefined
}

async function readUntried(
  db: Database,
  {
    now,
    environment,
  }: { now: number; environment: Pick<Environment, 'BACKUP_EVERY_HOURS' | 'DATABASE_URL'> },
): Promise<Map<QueueName, number>> {
  const rows = await listOldestDue(db.read)
  const due = new Map(rows.flatMap(({ queue, at }) => (at < now ? [[queue, at] as const] : [])))
  const every = environment.BACKUP_EVERY_HOURS * 3_600_000
  // The portal only backs up a database that is a file.
  if (every > 0 && environment.DATABASE_URL.startsWith('file:')) {
    const at = await dueAt(db, every, now)
    const known = await deferralsOf(db.read, { queue: 'backup', items: ['backup'] })
    if (at < now && known.size === 0) due.set('backup', at)
  }
  return due
}

/** The lateness of every queue. */
export async function readQueueStates(
  db: Database,
  at: { now: number; environment: Pick<Environment, 'BACKUP_EVERY_HOURS' | 'DATABASE_URL'> },
): Promise<QueueState[]> {
  const { now } = at
  const [delayed, untried] = await Promise.all([countDeferrals(db.read, { now }), readUntried(db, at)])
  return queueNames.map(queue => {
    const found = delayed.find(each => each.queue === queue)
    const untriedSince = untried.get(queue)
    const isBehind = untriedSince !== undefined && untriedSince < now - UNTRIED_LATE_AFTER
    return {
      queue,
      delayed: found?.items ?? 0,
      late: (found?.late ?? 0) + (isBehind ? 1 : 0),
      oldestAt: found?.oldest,
      untriedSince,
    }
  })
}

/** True for an item that has been unable to proceed for too long. */
export const isLate = (queue: QueueName, since: number, now: number): boolean =>
  since < now - lateAfter(queue)
