import { queueNames } from '@portal/contract/background-work'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** Mail to be sent. The payload is encrypted, because it may contain a link's token, and is deleted after delivery. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['mail'] }).notNull(),
    sealed: text(),
    /** Set for a mail that must not be sent twice, such as the receipt of a payment. */
    dedupeKey: text('dedupe_key').unique(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    leaseUntil: time('lease_until'),
    createdAt: time('created_at').notNull(),
    deliveredAt: time('delivered_at'),
  },
  table => [
    index('outbox_due').on(table.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index('outbox_delivered').on(table.deliveredAt).where(sql`delivered_at is not null`),
  ],
)

/** The length of time that a counter covers. */
const counterUnits = ['day', 'month', 'year', 'all'] as const

/**
 * Totals for each UTC day. Triggers keep them up to date in the transaction of each change, so that dashboards add up only a
 * few thousand rows, no matter how many verifications there are.
 */
export const dailyCounters = sqliteTable('daily_counters', {
  day: text().primaryKey(),
  /** Accounts created on that day and not erased since. */
  users: integer().notNull().default(0),
  /** Certificates added on that day that are still in the register. */
  certificates: integer().notNull().default(0),
  /** Verifications that were paid for and delivered, whether the certificate was found or not. */
  verifications: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  notFound: integer('not_found').notNull().default(0),
  /** Revenue net of reversals, in kobo. */
  revenueMinor: integer('revenue_minor').notNull().default(0),
})

/**
 * Number of verifications by course and by organisation (the payer's company at that time), for each day, month, year, and all
 * time. Rows other than those of days include only the days before `counterRollup`, so that a long period can be read from
 * whole years and months. Triggers keep the counts up to date.
 */
export const rankedCounters = sqliteTable(
  'ranked_counters',
  {
    kind: text({ enum: ['course', 'organisation'] }).notNull(),
    unit: text({ enum: counterUnits }).notNull(),
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, in UTC; empty for all time. */
    period: text().notNull(),
    /** Name of the course or organisation, in its first spelling; case is ignored. Empty if no name was given. */
    name: text().notNull(),
    verifications: integer().notNull().default(0),
    successful: integer().notNull().default(0),
    /** Only for organisations: revenue net of reversals, in kobo. */
    revenueMinor: integer('revenue_minor').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.kind, table.unit, table.period, table.name] })],
)

/**
 * The first UTC day that is not yet included in the counters of months, years and all time, in a single row. A change normally
 * updates only the counter of its day, and `jobs/rollup-store.ts` later adds past days to the other counters. A change that
 * concerns a day already included updates all its counters immediately.
 */
export const counterRollup = sqliteTable('counter_rollup', {
  id: integer().primaryKey(),
  /** `YYYY-MM-DD`; empty if nothing has been rolled up yet. */
  day: text().notNull(),
})

/** One lease per scheduled job, so that parallel schedulers run the job only once. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  leaseUntil: time('lease_until').notNull(),
  lastRunAt: time('last_run_at'),
})

/**
 * Items of background queues whose processing is postponed after a failure. A row is deleted when its item is done
 * (`queues/run-queue.ts`).
 */
export const deferrals = sqliteTable(
  'deferrals',
  {
    queue: text({ enum: queueNames }).notNull(),
    item: text().notNull(),
    /** A sentence for staff, without personal data. */
    reason: text().notNull(),
    /** Consecutive failed attempts. */
    attempts: integer().notNull(),
    since: time('since').notNull(),
    nextAt: time('next_at').notNull(),
  },
  table => [primaryKey({ columns: [table.queue, table.item] })],
)

/** Backups of this database, newest last, with the duration and size of each. */
export const backups = sqliteTable('backups', {
  seq: integer().primaryKey({ autoIncrement: true }),
  /** When the backup was started. The backup contains everything that was committed before. */
  at: time('at').notNull(),
  /** `scheduled` for the scheduler, or `manual` for `npm run backup`. */
  kind: text({ enum: ['scheduled', 'manual'] }).notNull(),
  /** Name of the backup file, without the folder; null if none was made. */
  file: text(),
  bytes: integer().notNull(),
  tookMs: integer('took_ms').notNull(),
  /** True if the file was read back and verified. */
  verified: flag('verified').notNull(),
  /** The problem in one sentence; null if there was none. */
  error: text(),
})

/**
 * Number of write transactions on a database server, in a single row: its value on a replica shows how far the replica has
 * caught up (`db/replica.ts`). Not used by file databases.
 */
export const writeCounter = sqliteTable('write_counter', {
  id: integer().primaryKey(),
  writes: integer().notNull(),
})
