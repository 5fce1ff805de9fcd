import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems, payments } from './payments.ts'

/** What was delivered for an item of a payment: exactly one row per item, as soon as the money has been received. */
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
    /** The certificate as delivered, so that a reprint shows the same data. */
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
    reason: text({
      enum: [
        'mismatch',
        'certificate_vanished',
        'duplicate',
        'letter_not_printable',
        'over_payment',
        'reversal_undone',
        'organisation_closed',
      ],
    }).notNull(),
    status: text({ enum: ['due', 'approved', 'processed', 'failed', 'needs_attention'] }).notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** Currency in which the money was received, which may differ from the payment's. */
    currency: text().notNull().default('NGN'),
    /**
     * Number of refund requests sent to the gateway. Each has its own idempotency key, so that a failed refund can be requested
     * again.
     */
    attempts: integer().notNull().default(0),
    providerRefundId: text('provider_refund_id'),
    bankReference: text('bank_reference'),
    /** For staff: why the refund failed or needs attention. */
    note: text(),
    approvedBy: text('approved_by'),
    approvedAt: time('approved_at'),
    processedAt: time('processed_at'),
    /**
     * For refunds that are approved or need attention: when the next requery is due, how many there have been, and the lease.
     */
    nextTryAt: time('next_try_at'),
    tries: integer().notNull().default(0),
    leaseUntil: time('lease_until'),
  },
  table => [
    index('refunds_by_payment').on(table.paymentId),
    index('refunds_by_status').on(table.status),
    index('refunds_by_time').on(table.createdAt, table.id),
    // In uppercase, because the same bank reference may be written differently. A new reference is compared with earlier ones.
    index('refunds_by_bank_reference').on(sql`upper(bank_reference)`).where(sql`bank_reference is not null`),
    index('refunds_due').on(table.nextTryAt).where(sql`next_try_at is not null`),
  ],
)

/** Double-entry ledger: the rows of a payment always add up to zero. Debits are positive, credits negative. */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    account: text({
      enum: [
        'gateway_clearing',
        'bank',
        'revenue',
        'unapplied_receipts',
        'refund_payable',
        'fees',
        'disputes',
        'organisation_balances',
        'organisation_debts',
      ],
    }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    reason: text().notNull(),
    at: time('at').notNull(),
  },
  table => [
    index('ledger_by_payment').on(table.paymentId),
    index('ledger_by_account').on(table.account, table.at, table.id),
    index('ledger_by_time').on(table.at, table.id),
  ],
)
