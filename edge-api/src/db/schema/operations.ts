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
    /** Set once for a mail that must not be sent twice, e.g. the receipt of a payment. */
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
 * Totals of a UTC day. Triggers of the migration `audit_chain` maintain them in the transaction of every
 * change, so that dashboards only add up a few thousand rows, regardless of the number of verifications.
 */
export const dailyCounters = sqliteTable('daily_counters', {
  day: text().primaryKey(),
  /** Accounts created on the day and not erased since. */
  users: integer().notNull().default(0),
  /** Certificates added on the day that are still in the register. */
  certificates: integer().notNull().default(0),
  /** Paid and delivered: found and not found. */
  verifications: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  notFound: integer('not_found').notNull().default(0),
  /** Revenue net of reversals, in kobo. */
  revenueMinor: integer('revenue_minor').notNull().default(0),
})

/**
 * Verifications by course and by organisation (the payer's company at that time), for each day. Months, years and all time
 * contain the days before `counterRollup`, so that a long period is read from whole years and months. Triggers maintain it.
 */
export const rankedCounters = sqliteTable(
  'ranked_counters',
  {
    kind: text({ enum: ['course', 'organisation'] }).notNull(),
    unit: text({ enum: counterUnits }).notNull(),
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, in UTC; empty for all time. */
    period: text().notNull(),
    /** As first written; upper and lower case are one name. Empty if none was given. */
    name: text().notNull(),
    verifications: integer().notNull().default(0),
    successful: integer().notNull().default(0),
    /** Only for organisations: revenue net of reversals, in kobo. */
    revenueMinor: integer('revenue_minor').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.kind, table.unit, table.period, table.name] })],
)

/**
 * The first UTC day that counters by month, year and for all time do not contain; one row. A change only counts for its day,
 * and `jobs/rollup-store.ts` rolls up past days. A change of a day that is already rolled up updates all of its
 * counters immediately.
 */
export const counterRollup = sqliteTable('counter_rollup', {
  id: integer().primaryKey(),
  /** `YYYY-MM-DD`; empty if nothing was rolled up yet. */
  day: text().notNull(),
})

/** One lease per scheduled job, so that parallel schedulers do its work once. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  leaseUntil: time('lease_until').notNull(),
  lastRunAt: time('last_run_at'),
})

/** Items of background queues that cannot proceed now; a row is deleted when its item is done (`queues/run-queue.ts`). */
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

/** Backups of this database, the newest last. Times and bytes are of the copy. */
export const backups = sqliteTable('backups', {
  seq: integer().primaryKey({ autoIncrement: true }),
  /** When it was started: it contains everything committed by then. */
  at: time('at').notNull(),
  /** `scheduled` by the scheduler, or `manual`: `npm run backup`. */
  kind: text({ enum: ['scheduled', 'manual'] }).notNull(),
  /** Name of its file, without the folder; null if none was made. */
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
 * (`db/replica.ts`). A file database counts none.
 */
export const writeCounter = sqliteTable('write_counter', {
  id: integer().primaryKey(),
  writes: integer().notNull(),
})
