import type { QueueName } from '@portal/contract/background-work'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { PRUNE_EVERY } from '../db/retention.ts'
import { QUIET } from '../letters/standing-store.ts'
import { HINT_REST, MOST_HINT_ATTEMPTS } from '../payments/schedule.ts'
import { notDeferred } from './deferral-store.ts'

/**
 * When the oldest item of each queue became due that is not deferred. Partial indexes hold what is open, so that this is
 * cheap however much is done; null where nothing waits in the database.
 */
const oldestDue = (now: number): Record<QueueName, SQL | null> => ({
  mail: sql`select min(next_attempt_at) from outbox where next_attempt_at is not null
    and ${notDeferred('mail', sql`outbox.id`, now)}`,
  callbacks: sql`select min(received_at) + ${HINT_REST} from webhook_inbox where processed_at is null
    and attempts < ${MOST_HINT_ATTEMPTS} and ${notDeferred('callbacks', sql`webhook_inbox.id`, now)}`,
  requery: sql`select min(next_requery_at) from payments where next_requery_at is not null
    and ${notDeferred('requery', sql`payments.transaction_id`, now)}`,
  refunds: sql`select min(next_try_at) from refunds where next_try_at is not null
    and ${notDeferred('refunds', sql`refunds.id`, now)}`,
  reconciliation: sql`select min(lease_until) from reconciliations where finished_at is null
    and ${notDeferred('reconciliation', sql`reconciliations.id`, now)}`,
  uploads: sql`select min(lease_until) from uploads where untidy and ${notDeferred('uploads', sql`uploads.id`, now)}`,
  letter_holders: sql`select min(status_at) + ${QUIET} from letters where tell_status is not null
    and ${notDeferred('letter_holders', sql`letters.user_id`, now)}`,
  erasure: sql`select min(erasure_due_at) from users where erasure_due_at is not null and erased_at is null
    and ${notDeferred('erasure', sql`users.id`, now)}`,
  retention: sql`select last_run_at + ${PRUNE_EVERY} from job_leases where name = 'retention'`,
  activity_log: sql`select at from activity_log where hash is null
    and ${notDeferred('activity_log', sql`'activity_log'`, now)} order by id limit 1`,
  releases: null,
  backup: null,
})

/** When the oldest item of each queue became due that is not deferred, or will; queues with nothing to do are left out. */
export async function listOldestDue(
  db: Reader,
  { now }: { now: number },
): Promise<{ queue: QueueName; at: number }[]> {
  const selects = Object.entries(oldestDue(now)).flatMap(([queue, select]) =>
    select ? [sql`select ${queue} as queue, (${select}) as at`] : [],
  )
  const all = sql.join(selects, sql` union all `)
  return await db.all<{ queue: QueueName; at: number }>(sql`select * from (${all}) where at is not null`)
}
