import { toIsoDate } from '@portal/format/dates'
import { type SQL, sql } from 'drizzle-orm'
import { purgeCertificates } from '../certificates/purge-store.ts'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Database, Tx } from '../db/database.ts'
import { rowId } from '../uploads/row-keys.ts'
import { rollUp } from './rollup-store.ts'

/*
 * Deletes expired data in batches. Each scheduled run calls `prune`, which starts a round once an hour; if more data remains,
 * the next run continues the round.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Maximum number of rows of a table that are deleted in one transaction, so that other writes do not wait long. */
const MAX_ROWS_PER_TRANSACTION = 500
/** Time from one round to the next, and until another attempt for a table that could not be pruned, in milliseconds. */
export const PRUNE_INTERVAL_MS = HOUR
/** How long a lease lasts, in milliseconds. It expires so that another run can continue after a crash. */
const LEASE_MS = 60_000
const JOB_NAME = 'retention'

/**
 * Returns a statement that deletes the expired rows among a table's first rows. If the key grows with time, the statement needs
 * no further index, because it reads only the oldest rows.
 */
const deleteOldest = (table: string, key: string, isExpired: SQL) =>
  sql`delete from ${sql.identifier(table)} where ${sql.identifier(key)} in (
    select k from (select ${sql.identifier(key)} as k, * from ${sql.identifier(table)} order by 1 limit ${MAX_ROWS_PER_TRANSACTION}) where ${isExpired})`

/** SQL for the `seq` of the first upload or job of the last year. Those with lower numbers are older. */
const firstSeqOfYear = (now: number, table: 'uploads' | 'register_jobs' = 'uploads') =>
  sql`coalesce((select min(seq) from ${sql.identifier(table)} where created_at >= ${now - 365 * DAY}), (select max(seq) + 1 from ${sql.identifier(table)}), 0)`

/** Returns a statement that deletes rows that were written while the clock was ahead. */
const deleteWrittenAhead = (table: string, key: string, now: number) => {
  const [name, at, ahead] = [sql.identifier(table), sql.identifier(key), now + MAX_CLOCK_SKEW_MS]
  return sql`delete from ${name} where rowid in (select rowid from ${name} where expires_at > ${ahead} and ${at} > ${ahead} limit ${MAX_ROWS_PER_TRANSACTION})`
}

/**
 * Returns the statements that delete expired data, by name. Links are kept for a week after their expiry, so that an old link
 * is still reported as expired and not as unknown.
 */
const deleteStatements = (now: number): Record<string, SQL> => ({
  'expired links': sql`delete from mail_tokens where rowid in (select rowid from mail_tokens where expires_at < ${now - 7 * DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'expired sessions': sql`delete from sessions where rowid in (select rowid from sessions where expires_at < ${now - DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'delivered mail': sql`delete from outbox where rowid in (select rowid from outbox where delivered_at < ${now - 30 * DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'rate limits': sql`delete from rate_limits where rowid in (select rowid from rate_limits where expires_at < ${now} limit ${MAX_ROWS_PER_TRANSACTION})`,
  // These must not become valid when their time comes.
  'sessions from the future': deleteWrittenAhead('sessions', 'created_at', now),
  'links from the future': deleteWrittenAhead('mail_tokens', 'created_at', now),
  'hits from the future': deleteWrittenAhead('rate_limits', 'window_start', now),
  'front-end reports': sql`delete from front_end_reports where rowid in (select rowid from front_end_reports where day < ${toIsoDate(now - 90 * DAY)} limit ${MAX_ROWS_PER_TRANSACTION})`,
  // Mail that could not be delivered. Its content has already been deleted.
  'undelivered mail': deleteOldest(
    'outbox',
    'rowid',
    sql`created_at < ${now - 30 * DAY} and next_attempt_at is null and delivered_at is null`,
  ),
  notifications: deleteOldest('notifications', 'seq', sql`created_at < ${now - 365 * DAY}`),
  // Callbacks from gateways contain payers' personal data. The payment's own history is kept.
  'gateway callbacks': deleteOldest('webhook_inbox', 'id', sql`received_at < ${now - 90 * DAY}`),
  // These contain values from the uploaded file. The outcome of the upload as a whole is kept.
  'upload rows': sql`delete from upload_rows where id in (select id from upload_rows where id < ${firstSeqOfYear(now)} * ${rowId(1, 0)} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'upload reports': sql`delete from upload_reports where (upload_seq, last_id) in (select upload_seq, last_id from upload_reports where upload_seq < ${firstSeqOfYear(now)} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'rows of register jobs': sql`delete from register_job_rows where id in (select id from register_job_rows where id < ${firstSeqOfYear(now, 'register_jobs')} * ${rowId(1, 0)} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'idempotency keys of organisations': sql`delete from organisation_idempotency_keys where rowid in (select rowid from organisation_idempotency_keys where created_at < ${now - 7 * DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'deliveries of old events': sql`delete from organisation_deliveries where event_seq in (select seq from (select seq, created_at from organisation_events order by 1 limit ${MAX_ROWS_PER_TRANSACTION}) where created_at < ${now - 30 * DAY})`,
  'events of organisations': deleteOldest(
    'organisation_events',
    'seq',
    sql`created_at < ${now - 30 * DAY} and not exists (select 1 from organisation_deliveries d where d.event_seq = k)`,
  ),
  'deleted webhook endpoints': sql`delete from organisation_endpoints where seq in (select seq from organisation_endpoints n where deleted_at < ${now - DAY} and not exists (select 1 from organisation_deliveries d where d.endpoint_id = n.id) limit ${MAX_ROWS_PER_TRANSACTION})`,
  'items of test batches': sql`delete from organisation_batch_items where rowid in (select rowid from organisation_batch_items where batch_id in (
    select id from organisation_batches where livemode = 0 and created_at < ${now - 30 * DAY}) limit ${MAX_ROWS_PER_TRANSACTION})`,
  'test batches': sql`delete from organisation_batches where rowid in (select rowid from organisation_batches as batch where livemode = 0 and created_at < ${now - 30 * DAY}
    and not exists (select 1 from organisation_batch_items where batch_id = batch.id) limit ${MAX_ROWS_PER_TRANSACTION})`,
  'test verifications': sql`delete from organisation_verifications where rowid in (select rowid from organisation_verifications where livemode = 0 and created_at < ${now - 30 * DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
  'idempotency keys': sql`delete from idempotency_keys where rowid in (select rowid from idempotency_keys where created_at < ${now - 7 * DAY} limit ${MAX_ROWS_PER_TRANSACTION})`,
})

/** Takes the lease for an hourly round. @returns false if no round is due, or another run has the lease */
async function claimRound(db: Tx, now: number): Promise<boolean> {
  const result = await db.run(
    sql`insert into job_leases (name, lease_until, last_run_at) values (${JOB_NAME}, ${now + LEASE_MS}, null)
        on conflict (name) do update set lease_until = excluded.lease_until
        where (lease_until <= ${now} or lease_until > ${now + LEASE_MS + MAX_CLOCK_SKEW_MS})
          and (coalesce(last_run_at, 0) <= ${now - PRUNE_INTERVAL_MS} or last_run_at > ${now + MAX_CLOCK_SKEW_MS})`,
  )
  return result.rowsAffected === 1
}

/**
 * Deletes expired rows (`deleteStatements`), at most 500 of each table per call, and rolls up the counters of past days.
 * @param runPart runs each part of the work, so that a failure in one does not stop the others
 * @returns the number of deleted rows, or 0 if no round was due
 */
export async function prune(
  database: Database,
  now: number,
  runPart: (part: string, work: () => Promise<void>) => Promise<void> = (_, work) => work(),
): Promise<number> {
  if (!(await database.write(tx => claimRound(tx, now)))) return 0
  let deleted = 0
  let hasMore = false
  await runPart('deleted certificates', async () => {
    const purged = await database.write(tx => purgeCertificates(tx, { now, limit: MAX_ROWS_PER_TRANSACTION }))
    deleted += purged
    hasMore ||= purged === MAX_ROWS_PER_TRANSACTION
  })
  for (const [part, statement] of Object.entries(deleteStatements(now)))
    await runPart(part, async () => {
      const { rowsAffected } = await database.write(tx => tx.run(statement))
      deleted += rowsAffected
      hasMore ||= rowsAffected === MAX_ROWS_PER_TRANSACTION
    })
  await runPart('counters', async () => {
    hasMore ||= await rollUp(database, now)
  })
  const lastRun = hasMore ? null : now
  await database.write(tx =>
    tx.run(
      sql`update job_leases set lease_until = ${now}, last_run_at = ${lastRun} where name = ${JOB_NAME}`,
    ),
  )
  return deleted
}
