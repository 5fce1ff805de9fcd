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
    /** Address and ID of the request that started it, for its entries in the activity log. */
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    reason: text().notNull(),
    /** New values of a bulk edit. */
    set: text({ mode: 'json' }).$type<Record<string, string>>(),
    /** The upload or job to be reverted. */
    targetId: text('target_id'),
    total: integer().notNull(),
    processed: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    /** Reverts: `seq` of the last certificate that the upload added, then `id` of the last change that was processed. */
    cursorAdded: integer('cursor_added').notNull().default(0),
    cursorChange: integer('cursor_change').notNull().default(0),
    error: text(),
    /** No longer used: cancelling ends a job immediately. */
    cancelRequested: flag('cancel_requested').notNull().default(false),
    /** Renewed with every chunk; once past, another process continues. Null when the job has ended. */
    leaseUntil: time('lease_until'),
    /** The caller's `Idempotency-Key`, and the digest of its request. */
    idempotencyKey: text('idempotency_key'),
    requestHash: text('request_hash').notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
  },
  table => [
    index('register_jobs_open').on(table.leaseUntil).where(sql`lease_until is not null`),
    // A second revert of the same target is refused; a cancelled or failed one can be repeated.
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
 * The certificates of a job with their outcomes, kept for one year. Those of a selection are stored when it is created, those
 * of a revert as it proceeds. The key is the job's `seq` and the row's place (`places.ts`).
 */
export const registerJobRows = sqliteTable('register_job_rows', {
  id: integer().primaryKey(),
  certificateSeq: integer('certificate_seq').notNull(),
  certificateNumber: text('certificate_number').notNull(),
  /** The selected version; if the certificate has another one by the time it is processed, it is skipped. */
  version: integer().notNull(),
  /** As in the history: `updated`, `deleted`, `withdrawn` or `restored`; null unless changed. */
  action: text(),
  /** Null until it has been processed. */
  status: text({ enum: jobRowStatuses }),
  /** Why it was skipped. */
  reason: text(),
})
