import type { Mismatch } from '@portal/contract/admin-reconciliation'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** Comparisons of one day's payments with the gateway. The scheduler resumes interrupted ones. */
export const reconciliations = sqliteTable(
  'reconciliations',
  {
    id: text().primaryKey(),
    /** The UTC day whose payments are compared, `YYYY-MM-DD`. */
    day: text().notNull(),
    nightly: flag('nightly').notNull(),
    byUserId: text('by_user_id'),
    byEmail: text('by_email'),
    /** IP address of the request that started the comparison; null for the nightly one. */
    ipAddress: text('ip_address'),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at'),
    leaseUntil: time('lease_until').notNull(),
    /** The last payment that was compared, by start time and ID. */
    cursorAt: time('cursor_at'),
    cursorId: text('cursor_id'),
    processed: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    mismatchCount: integer('mismatch_count').notNull().default(0),
    /** The first 1,000 mismatches. */
    mismatches: text({ mode: 'json' }).$type<Mismatch[]>().notNull(),
  },
  table => [
    uniqueIndex('reconciliations_one_a_night').on(table.day).where(sql`nightly`),
    index('reconciliations_by_time').on(table.startedAt, table.id),
    index('reconciliations_open').on(table.leaseUntil).where(sql`finished_at is null`),
  ],
)

/** Payments that exist only at a gateway, stored so that staff are notified of each only once. */
export const gatewayOrphans = sqliteTable(
  'gateway_orphans',
  {
    provider: text().notNull(),
    reference: text().notNull(),
    providerTxnId: text('provider_txn_id'),
    outcome: text().notNull(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    firstSeenAt: time('first_seen_at').notNull(),
  },
  table => [primaryKey({ columns: [table.provider, table.reference] })],
)
