import type { QueueName } from '@portal/contract/background-work'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { QUIET_PERIOD_MS } from '../letter-holders/status-store.ts'
import { CALLBACK_DELAY_MS } from '../payments/schedule.ts'
import { MAX_CALLBACK_ATTEMPTS } from '../queues/backoff.ts'
import { selectNextAttempts, wasNeverDeferred } from '../queues/deferral-store.ts'
import { PRUNE_INTERVAL_MS } from './retention-store.ts'

/**
 * For each queue, a query for the time when its oldest item that was never deferred became due; null if its items are not in
 * the database. Partial indexes contain only open items, so these queries stay fast.
 */
const oldestDue: Record<QueueName, SQL | null> = {
  mail: sql`select min(next_attempt_at) from outbox where next_attempt_at is not null
    and ${wasNeverDeferred('mail', sql`outbox.id`)}`,
  callbacks: sql`select min(received_at) + ${CALLBACK_DELAY_MS} from webhook_inbox where processed_at is null
    and attempts < ${MAX_CALLBACK_ATTEMPTS} and ${wasNeverDeferred('callbacks', sql`webhook_inbox.id`)}`,
  requery: sql`select min(next_requery_at) from payments where next_requery_at is not null
    and ${wasNeverDeferred('requery', sql`payments.transaction_id`)}`,
  refunds: sql`select min(next_try_at) from refunds where next_try_at is not null
    and ${wasNeverDeferred('refunds', sql`refunds.id`)}`,
  disputes: sql`select min(next_at) from disputes where next_at is not null
    and ${wasNeverDeferred('disputes', sql`disputes.id`)}`,
  reconciliation: sql`select min(lease_until) from reconciliations where finished_at is null
    and ${wasNeverDeferred('reconciliation', sql`reconciliations.id`)}`,
  uploads: sql`select min(lease_until) from uploads where untidy and ${wasNeverDeferred('uploads', sql`uploads.id`)}`,
  register_jobs: sql`select lease_until from register_jobs where lease_until is not null
    and ${wasNeverDeferred('register_jobs', sql`register_jobs.id`)} order by seq limit 1`,
  batches: sql`select min(coalesce(waiting_until, lease_until, created_at)) from organisation_batches where status = 'processing'
    and exists (select 1 from organisations where organisations.id = organisation_id and state = 'active')
    and ${wasNeverDeferred('batches', sql`organisation_batches.id`)}`,
  deliveries: sql`select min(next_attempt_at) from organisation_deliveries where status = 'pending'
    and ${wasNeverDeferred('deliveries', sql`organisation_deliveries.id`)}`,
  letter_holders: sql`select min(status_at) + ${QUIET_PERIOD_MS} from letters where pending_status is not null
    and ${wasNeverDeferred('letter_holders', sql`letters.user_id`)}`,
  erasure: sql`select min(erasure_due_at) from users where erasure_due_at is not null and erased_at is null
    and ${wasNeverDeferred('erasure', sql`users.id`)}`,
  retention: sql`select last_run_at + ${PRUNE_INTERVAL_MS} from job_leases where name = 'retention'`,
  activity_log: sql`select at from activity_log where hash is null
    and ${wasNeverDeferred('activity_log', sql`'activity_log'`)} order by id limit 1`,
  releases: null,
  backup: null,
}

/** Returns, for each queue, when its oldest item or next attempt became or becomes due. Queues without items are left out. */
export async function listOldestDue(db: Reader): Promise<{ queue: QueueName; at: number }[]> {
  const selects = Object.entries(oldestDue).flatMap(([queue, select]) =>
    select ? [sql`select ${queue} as queue, (${select}) as at`] : [],
  )
  const all = sql.join([...selects, selectNextAttempts()], sql` union all `)
  return await db.all<{ queue: QueueName; at: number }>(
    sql`select queue, min(at) as at from (${all}) where at is not null group by queue`,
  )
}
