import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/*
 * Counts that lists and reports read instead of counting rows. The triggers in
 * `migrations/0001_counters_and_search.sql` keep them up to date in the transaction of the change.
 */

/**
 * The number of certificates in the register, for each block of 4,096 consecutive `seq` values. Used to find a page without
 * scanning all rows before it.
 */
export const certificateBlocks = sqliteTable('certificate_blocks', {
  /** `seq / 4096`, rounded down, of the block's certificates. */
  block: integer().primaryKey(),
  standing: integer().notNull(),
})

/** Number and amounts of payments by state, and by the UTC day on which they were started. Amounts are in minor units. */
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

/**
 * Number of requested certificates by result, and by the UTC day of the result (or of the request, while there is no result).
 */
export const itemCounters = sqliteTable(
  'item_counters',
  { day: text().notNull(), result: text().notNull(), total: integer().notNull() },
  table => [primaryKey({ columns: [table.day, table.result] })],
)

/**
 * Number of an account's verifications by outcome, which the `tally` of an item determines. `again` counts second payments for
 * a verified certificate, and `missed` everything that was not found or not delivered.
 */
export const userCounters = sqliteTable('user_counters', {
  userId: text('user_id').primaryKey(),
  total: integer().notNull().default(0),
  found: integer().notNull().default(0),
  again: integer().notNull().default(0),
  missed: integer().notNull().default(0),
  /** Total amount paid, in minor units. */
  spentMinor: integer('spent_minor').notNull().default(0),
})

/**
 * Number of accounts by the UTC day of their creation and by the fields by which they can be filtered. Erased accounts are not
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

/** Number of ledger entries by UTC day, account and currency, and their sum in minor units. */
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
