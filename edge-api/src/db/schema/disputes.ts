import { disputeAnswers, disputeSources, disputeStates } from '@portal/contract/admin-disputes'
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { isOneOf, time } from './columns.ts'
import { payments } from './payments.ts'

/** Disputes (chargebacks): reported by a gateway's API, or entered by staff. */
export const disputes = sqliteTable(
  'disputes',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    provider: text().notNull(),
    /** The gateway's ID of the dispute, or the reference that staff entered. */
    providerDisputeId: text('provider_dispute_id').notNull(),
    source: text({ enum: disputeSources }).notNull(),
    state: text({ enum: disputeStates }).notNull(),
    gatewayStatus: text('gateway_status'),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    category: text(),
    reason: text().notNull().default(''),
    openedAt: time('opened_at').notNull(),
    dueAt: time('due_at'),
    /** The answer given by staff. While `acknowledgedAt` is null, the gateway has not confirmed it. */
    answer: text({ enum: disputeAnswers }),
    answeredBy: text('answered_by'),
    answeredAt: time('answered_at'),
    acknowledgedAt: time('acknowledged_at'),
    /** Note to the gateway, sent with the evidence. */
    note: text().notNull().default(''),
    /** The amount held for this dispute in the ledger's `disputes` account, the amount lost through it, and the dispute fee. */
    heldMinor: integer('held_minor').notNull().default(0),
    lostMinor: integer('lost_minor').notNull().default(0),
    feeMinor: integer('fee_minor').notNull().default(0),
    closedAt: time('closed_at'),
    /** When staff were sent the reminder halfway to the deadline, and the one shortly before it. */
    halfRemindedAt: time('half_reminded_at'),
    lastRemindedAt: time('last_reminded_at'),
    /** When the next requery or reminder is due, how many times sending the answer was tried, and the lease. */
    nextAt: time('next_at'),
    tries: integer().notNull().default(0),
    leaseUntil: time('lease_until'),
    version: integer().notNull().default(0),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  table => [
    uniqueIndex('disputes_once').on(table.provider, table.providerDisputeId),
    index('disputes_by_payment').on(table.paymentId),
    index('disputes_by_state').on(table.state, table.dueAt),
    index('disputes_by_time').on(table.openedAt, table.id),
    index('disputes_due').on(table.nextAt).where(sql`next_at is not null`),
    check('disputes_state', isOneOf(table.state, disputeStates)),
    check('disputes_amount', sql`${table.amountMinor} > 0`),
  ],
)
