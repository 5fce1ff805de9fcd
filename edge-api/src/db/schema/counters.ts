import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/*
 * Counts that lists and reports read instead of counting rows. The triggers in
 * `migrations/0001_counters_and_search.sql` keep them up to date in the transaction of the change.
 */

/**
 * For each block of 4,096 consecutive `seq` values, the number of certificates in the register. Used to find a page
 * without scanning all rows before it.
 */
export const certificateBlocks = sqliteTable('certificate_blocks', {
  /** `seq / 4096` of the block's certificates. */
  block: integer().primaryKey(),
  standing: integer().notNull(),
})

/** Payments by the UTC day on which they were started, and by state. Amounts are in minor units. */
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

/** Requested certificates by result, and by the UTC day of the result (or of the request while there is no result). */
export const itemCounters = sqliteTable(
  'item_counters',
  { day: text().notNull(), result: text().notNull(), total: integer().notNull() },
  table => [primaryKey({ columns: [table.day, table.result] })],
)

/** Outcomes of an account's verifications; each item's `tally` determines the counter. */
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
 * Accounts by the UTC day of their creation and by the fields that they can be filtered by. Erased accounts are not
 * counted.
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
