import { jobRowStatuses, registerJobKinds, registerJobStates } from '@portal/contract/register-jobs'
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** Jobs that change many certificates; one runs at a time, in the order of `seq`. */
export const registerJobs = sqliteTable(
  'register_jobs',
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    kind: text({ enum: registerJobKinds }).notNull(),
    state: text({ enum: registerJobStates }).notNull(),
    authorId: text('author_id').notNull(),
    /** IP address and ID of the request that started the job, for its entries in the activity log. */
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    reason: text().notNull(),
    /** New values of a bulk edit. */
    set: text({ mode: 'json' }).$type<Record<string, string>>(),
    /** ID of the upload or job that the job reverts. */
    targetId: text('target_id'),
    total: integer().notNull(),
    processed: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    /** For a revert: `seq` of the last certificate added by the target that has been processed. */
    cursorAdded: integer('cursor_added').notNull().default(0),
    /** For a revert: `id` of the last change made by the target that has been processed. */
    cursorChange: integer('cursor_change').notNull().default(0),
    error: text(),
    /** No longer used: cancelling ends a job immediately. */
    cancelRequested: flag('cancel_requested').notNull().default(false),
    /** Lease, renewed with every chunk. Once it has expired, another process continues the job. Null when the job has ended. */
    leaseUntil: time('lease_until'),
    /** The request's `Idempotency-Key` and digest. */
    idempotencyKey: text('idempotency_key'),
    requestHash: text('request_hash').notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
  },
  table => [
    index('register_jobs_open').on(table.leaseUntil).where(sql`lease_until is not null`),
    // Prevents a second revert of the same target, unless the first was cancelled or failed.
    uniqueIndex('register_jobs_revert')
      .on(table.targetId)
      .where(sql`target_id is not null and state in ('queued', 'running', 'done')`),
    index('register_jobs_by_target').on(table.targetId).where(sql`target_id is not null`),
    uniqueIndex('register_jobs_idempotency')
      .on(table.authorId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
  ],
)

/**
 * The certificates of a job with their outcomes, kept for one year. For a selection, the rows are stored when the job is
 * created; for a revert, as it proceeds. The key combines the job's `seq` and the row's position (`uploads/row-keys.ts`).
 */
export const registerJobRows = sqliteTable('register_job_rows', {
  id: integer().primaryKey(),
  certificateSeq: integer('certificate_seq').notNull(),
  certificateNumber: text('certificate_number').notNull(),
  /** Version at the time of the selection. If the certificate has another version when it is processed, it is skipped. */
  version: integer().notNull(),
  /** As in the history: `updated`, `deleted`, `withdrawn` or `restored`; null if nothing was changed. */
  action: text(),
  /** Null until the row has been processed. */
  status: text({ enum: jobRowStatuses }),
  /** Why the certificate was skipped. */
  reason: text(),
})
