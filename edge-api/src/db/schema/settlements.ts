import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { payments } from './payments.ts'

/** Payouts of a gateway to the institution's bank account, from its API or from a file. */
export const settlements = sqliteTable(
  'settlements',
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    /** The gateway's reference for the payout. */
    reference: text().notNull(),
    currency: text().notNull(),
    settledAt: time('settled_at').notNull(),
    /** Total payout as the gateway states it, or null if it does not. */
    statedTotalMinor: integer('stated_minor'),
    source: text({ enum: ['api', 'file'] }).notNull(),
    fileName: text('file_name'),
    byEmail: text('by_email'),
    createdAt: time('created_at').notNull(),
    /** Number and sums of the payout's lines, updated together with them. */
    lines: integer().notNull().default(0),
    amountMinor: integer('amount_minor').notNull().default(0),
    feeMinor: integer('fee_minor').notNull().default(0),
    netMinor: integer('net_minor').notNull().default(0),
  },
  table => [
    uniqueIndex('settlements_once').on(table.provider, table.reference),
    index('settlements_by_time').on(table.settledAt, table.id),
  ],
)

/** One payment, refund or other deduction within a payout; never changed. */
export const settlementLines = sqliteTable(
  'settlement_lines',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    settlementId: text('settlement_id')
      .notNull()
      .references(() => settlements.id),
    /** Identifies the line, so that it is not added again when its report is read a second time. */
    key: text().notNull(),
    kind: text({ enum: ['payment', 'refund', 'chargeback', 'adjustment'] }).notNull(),
    /** The reference in the report; for payments of this portal, our own reference. */
    reference: text().notNull(),
    paymentId: text('payment_id').references(() => payments.id),
    /** Negative for deductions, like `net_minor`. */
    amountMinor: integer('amount_minor').notNull(),
    /** The gateway's fee; null if the report does not state it. */
    feeMinor: integer('fee_minor'),
    netMinor: integer('net_minor').notNull(),
    at: time('at').notNull(),
  },
  table => [
    uniqueIndex('settlement_lines_once').on(table.settlementId, table.key),
    index('settlement_lines_by_payment').on(table.paymentId).where(sql`payment_id is not null`),
  ],
)

/** Differences between settlements and the ledger, for staff. */
export const settlementDifferences = sqliteTable(
  'settlement_differences',
  {
    id: text().primaryKey(),
    /** Unique per cause, so that the same difference is not entered twice. */
    key: text().notNull().unique(),
    kind: text({
      enum: ['not_settled', 'unknown_here', 'amount_differs', 'fee_differs', 'deduction', 'total_differs'],
    }).notNull(),
    provider: text().notNull(),
    reference: text().notNull(),
    settlementId: text('settlement_id').references(() => settlements.id),
    paymentId: text('payment_id').references(() => payments.id),
    currency: text().notNull(),
    /** The amounts in the ledger and in the settlement, or null where there is none. */
    expectedMinor: integer('expected_minor'),
    foundMinor: integer('found_minor'),
    foundAt: time('found_at').notNull(),
    /** Set when ledger and settlement agree again without action by staff. */
    resolvedAt: time('resolved_at'),
    explainedAt: time('explained_at'),
    explainedBy: text('explained_by'),
    note: text(),
  },
  table => [
    index('settlement_differences_by_time').on(table.foundAt, table.id),
    index('settlement_differences_open')
      .on(table.foundAt, table.id)
      .where(sql`resolved_at is null and explained_at is null`),
    index('settlement_differences_by_payment').on(table.paymentId).where(sql`payment_id is not null`),
    index('settlement_differences_by_settlement').on(table.settlementId),
  ],
)

/**
 * The state of each day's import of settlements: one row per provider, and one with the provider `*` for the checks after the
 * imports.
 */
export const settlementRuns = sqliteTable(
  'settlement_runs',
  {
    /** `YYYY-MM-DD`, UTC. */
    day: text().notNull(),
    provider: text().notNull(),
    leaseUntil: time('lease_until').notNull(),
    finishedAt: time('finished_at'),
  },
  table => [primaryKey({ columns: [table.day, table.provider] })],
)
