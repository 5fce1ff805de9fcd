import { queueNames } from '@portal/contract/background-work'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** Mail to be sent. The payload is encrypted (it may contain a link's token) and deleted once delivered. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['mail'] }).notNull(),
    sealed: text(),
    /** Set for a mail that must not be sent twice, e.g. the receipt of a payment. */
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

/** The part of the calendar that a counter covers. */
const counterUnits = ['day', 'month', 'year', 'all'] as const

/**
 * Totals of a UTC day. Triggers keep them up to date in the transaction of each change, so that dashboards only add up
 * a few thousand rows, regardless of the number of verifications.
 */
export const dailyCounters = sqliteTable('daily_counters', {
  day: text().primaryKey(),
  /** Accounts created on the day and not erased since. */
  users: integer().notNull().default(0),
  /** Certificates added on the day that are still in the register. */
  certificates: integer().notNull().default(0),
  /** Verifications that were paid for and delivered, whether the certificate was found or not. */
  verifications: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  notFound: integer('not_found').notNull().default(0),
  /** Revenue net of reversals, in kobo. */
  revenueMinor: integer('revenue_minor').notNull().default(0),
})

/**
 * Verifications by course and by organisation (the payer's company at that time), for each day. Rows for months, years
 * and all time include the days before `counterRollup`, so that a long period is read from whole years and months.
 * Triggers keep the counts up to date.
 */
export const rankedCounters = sqliteTable(
  'ranked_counters',
  {
    kind: text({ enum: ['course', 'organisation'] }).notNull(),
    unit: text({ enum: counterUnits }).notNull(),
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, in UTC; empty for all time. */
    period: text().notNull(),
    /** As first written; case is ignored. Empty if no name was given. */
    name: text().notNull(),
    verifications: integer().notNull().default(0),
    successful: integer().notNull().default(0),
    /** Only for organisations: revenue net of reversals, in kobo. */
    revenueMinor: integer('revenue_minor').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.kind, table.unit, table.period, table.name] })],
)

/**
 * The first UTC day that is not yet included in the counters of months, years and all time, in one row. A change
 * normally updates only the counter of its day, and `jobs/rollup-store.ts` adds past days to the other counters. A
 * change that belongs to an earlier day updates all counters immediately.
 */
export const counterRollup = sqliteTable('counter_rollup', {
  id: integer().primaryKey(),
  /** `YYYY-MM-DD`; empty if nothing was rolled up yet. */
  day: text().notNull(),
})

/** One lease per scheduled job, so that parallel schedulers run the job only once. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  leaseUntil: time('lease_until').notNull(),
  lastRunAt: time('last_run_at'),
})

/**
 * Items of background queues that cannot be processed at present. A row is deleted when its item is done
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
  /** When the backup was started. It contains everything committed by then. */
  at: time('at').notNull(),
  /** `scheduled` by the scheduler, or `manual`: `npm run backup`. */
  kind: text({ enum: ['scheduled', 'manual'] }).notNull(),
  /** Name of the backup file, without the folder; null if none was made. */
  file: text(),
  bytes: integer().notNull(),
  tookMs: integer('took_ms').notNull(),
  /** True if the copy was read again and verified. */
  verified: flag('verified').notNull(),
  /** The problem in one sentence; null if there was none. */
  error: text(),
})

/**
 * Number of write transactions of a database server, in one row: the value on a replica shows how far it has caught up
 * (`db/replica.ts`). Not used by file databases.
 */
export const writeCounter = sqliteTable('write_counter', {
  id: integer().primaryKey(),
  writes: integer().notNull(),
})
