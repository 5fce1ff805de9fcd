import { queueNames } from '@portal/contract/background-work'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** Mail to be sent. The payload is sealed (it may hold a link's token) and erased once delivered. */
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

/** How much of the calendar a counter covers. */
const counterUnits = ['day', 'month', 'year', 'all'] as const

/**
 * What happened on a UTC day. Triggers of the migration `audit_chain` keep it in the transaction of every change, so
 * that dashboards add up some thousand rows at most, however many verifications there are.
 */
export const dailyCounters = sqliteTable('daily_counters', {
  day: text().primaryKey(),
  /** Accounts made on the day and not erased since. */
  users: integer().notNull().default(0),
  /** Certificates entered on the day that still stand. */
  certificates: integer().notNull().default(0),
  /** Paid and delivered: found and not found. */
  verifications: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  notFound: integer('not_found').notNull().default(0),
  /** Earned less what was reversed, in kobo. */
  revenueMinor: integer('revenue_minor').notNull().default(0),
})

/**
 * What was verified by course and by organisation (the payer's company at that time), for each day, month and year and
 * for all time, so that a long period is read from whole years and months. Triggers of the migration `kept_counts` keep
 * it.
 */
export const rankedCounters = sqliteTable(
  'ranked_counters',
  {
    kind: text({ enum: ['course', 'organisation'] }).notNull(),
    unit: text({ enum: counterUnits }).notNull(),
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, in UTC; empty for all time. */
    period: text().notNull(),
    /** As it was first written; upper and lower case are one name. Empty where none was stated. */
    name: text().notNull(),
    verifications: integer().notNull().default(0),
    successful: integer().notNull().default(0),
    /** Of organisations alone: earned less what was reversed, in kobo. */
    revenueMinor: integer('revenue_minor').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.kind, table.unit, table.period, table.name] })],
)

/** One lease per scheduled job, so that parallel schedulers do its work once. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  leaseUntil: time('lease_until').notNull(),
  lastRunAt: time('last_run_at'),
})

/** Items of background queues that cannot proceed now; a row goes when its item is done (`queues/run-queue.ts`). */
export const deferrals = sqliteTable(
  'deferrals',
  {
    queue: text({ enum: queueNames }).notNull(),
    item: text().notNull(),
    /** A sentence for staff, without personal data. */
    reason: text().notNull(),
    /** Attempts that failed, in a row. */
    attempts: integer().notNull(),
    since: time('since').notNull(),
    nextAt: time('next_at').notNull(),
  },
  table => [primaryKey({ columns: [table.queue, table.item] })],
)

/** Copies of this database that were made, the newest last. Times and bytes are of the copy. */
export const backups = sqliteTable('backups', {
  seq: integer().primaryKey({ autoIncrement: true }),
  /** When it was begun: what was committed by then is in it. */
  at: time('at').notNull(),
  /** `scheduled` by the tick, or `manual`: `npm run backup`. */
  kind: text({ enum: ['scheduled', 'manual'] }).notNull(),
  /** Name of its file, without the folder; null when none was made. */
  file: text(),
  bytes: integer().notNull(),
  tookMs: integer('took_ms').notNull(),
  /** True when the copy was read again and everything in it was right. */
  verified: flag('verified').notNull(),
  /** What was wrong, in a sentence; null when nothing was. */
  error: text(),
})

/**
 * How many write transactions a database on a server has taken, in one row: what a replica shows here tells how far it
 * has followed (`db/replica.ts`). A database that is a file counts none.
 */
export const writeCounter = sqliteTable('write_counter', {
  id: integer().primaryKey(),
  writes: integer().notNull(),
})
