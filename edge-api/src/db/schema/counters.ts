import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/*
 * Counts that lists and reports read instead of counting rows. The triggers in `migrations/0001_counters_and_search.sql`
 * maintain them in the transaction of the change.
 */

/** Number of certificates in the register among 4,096 consecutive ones: finds a page without scanning up to it. */
export const certificateBlocks = sqliteTable('certificate_blocks', {
  /** `seq / 4096` of its certificates. */
  block: integer().primaryKey(),
  standing: integer().notNull(),
})

/** Payments by the UTC day on which they were started, and by state. Amounts in minor units. */
export const paymentCounters = sqliteTable(
  'payment_counters',
  {
    day: text().notNull(),
    status: text().notNull(),
    total: integer().notNull(),
    dueMinor: integer('due_minor').notNull(),
    paidMinor: integer('paid_minor').notNull(),
  },
  table => [primaryKey({ columns: [table.day, table.status] })],
)

/** Requested certificates, by the UTC day of their result, or of the request while there is none, and by result. */
export const itemCounters = sqliteTable(
  'item_counters',
  { day: text().notNull(), result: text().notNull(), total: integer().notNull() },
  table => [primaryKey({ columns: [table.day, table.result] })],
)

/** Outcomes of an account's verifications; `tally` of each item selects the counter. */
export const userCounters = sqliteTable('user_counters', {
  userId: text('user_id').primaryKey(),
  total: integer().notNull().default(0),
  found: integer().notNull().default(0),
  again: integer().notNull().default(0),
  missed: integer().notNull().default(0),
  /** In minor units. */
  spentMinor: integer('spent_minor').notNull().default(0),
})

/**
 * Accounts by the UTC day of their creation and by the fields they can be filtered by; erased ones are not counted.
 */
export const accountCounters = sqliteTable(
  'account_counters',
  {
    day: text().notNull(),
    role: text().notNull(),
    isEnabled: integer('is_enabled').notNull(),
    isVerified: integer('is_verified').notNull(),
    total: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.day, table.role, table.isEnabled, table.isVerified] })],
)

/** Ledger entries by UTC day, account and currency, and their sum in minor units. */
export const ledgerCounters = sqliteTable(
  'ledger_counters',
  {
    day: text().notNull(),
    account: text().notNull(),
    currency: text().notNull(),
    entries: integer().notNull(),
    minor: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.day, table.account, table.currency] })],
)
