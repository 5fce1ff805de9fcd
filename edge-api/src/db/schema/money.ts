import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems, payments } from './payments.ts'

/** What was delivered for an item of a payment: exactly one row an item, once money was received. */
export const fulfilments = sqliteTable(
  'fulfilments',
  {
    paymentItemId: text('payment_item_id')
      .primaryKey()
      .references(() => paymentItems.id),
    paymentId: text('payment_id').notNull(),
    userId: text('user_id').notNull(),
    certificateNumber: text('certificate_number').notNull(),
    outcome: text({ enum: ['verified', 'not_found', 'refund_due'] }).notNull(),
    certificateId: text('certificate_id'),
    /** The certificate as delivered, so that a reprint says what was paid for. */
    snapshot: text({ mode: 'json' }),
    at: time('at').notNull(),
  },
  table => [
    index('fulfilments_by_user_number').on(table.userId, table.certificateNumber, table.outcome),
    index('fulfilments_by_certificate').on(table.certificateId),
  ],
)

export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    amountMinor: integer('amount_minor').notNull(),
    reason: text({ enum: ['mismatch', 'certificate_vanished', 'duplicate', 'over_payment'] }).notNull(),
    status: text({ enum: ['due', 'approved', 'processed', 'failed', 'needs_attention'] }).notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  table => [index('refunds_by_payment').on(table.paymentId), index('refunds_by_status').on(table.status)],
)

/** Double entry: the rows of a payment always add up to zero. Debits positive, credits negative. */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    account: text({
      enum: ['gateway_clearing', 'revenue', 'unapplied_receipts', 'refund_payable', 'fees'],
    }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    reason: text().notNull(),
    at: time('at').notNull(),
  },
  table => [index('ledger_by_payment').on(table.paymentId)],
)
