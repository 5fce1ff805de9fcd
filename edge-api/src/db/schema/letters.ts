import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems } from './payments.ts'

/**
 * Letters that were issued: one a fulfilled item. The numbered reference and the code never change; whether it still
 * stands is worked out from the certificate when someone asks.
 */
export const letters = sqliteTable(
  'letters',
  {
    code: text().primaryKey(),
    refNumber: text('ref_number').notNull().unique(),
    paymentItemId: text('payment_item_id')
      .notNull()
      .unique()
      .references(() => paymentItems.id),
    userId: text('user_id').notNull(),
    certificateId: text('certificate_id').notNull(),
    /** The letter's whole content (`VerificationTemplate`) as issued. */
    template: text({ mode: 'json' }).notNull(),
    status: text({ enum: ['valid', 'withdrawn', 'superseded'] }).notNull(),
    issuedAt: time('issued_at').notNull(),
    statusAt: time('status_at').notNull(),
  },
  table => [index('letters_by_certificate').on(table.certificateId)],
)
