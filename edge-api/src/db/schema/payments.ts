import { inArray, sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from './accounts.ts'
import { flag, isOneOf, time } from './columns.ts'
import { paymentStates } from './payment-states.ts'

const resolutions = ['verified', 'not_found', 'refund_due', 'refunded', 'reversed', 'review'] as const

/** Condition for payments that may still change. The index is used only for queries with exactly this condition. */
export const canChange = sql`status in ('created', 'pending', 'unknown', 'processing', 'review', 'expired')`

/**
 * Condition for payments that may exist at a gateway: excludes demo data, free payments and those made without a gateway. The
 * index is used only for queries with exactly this condition.
 */
export const atGateway = sql`provider <> 'demo' and amount_minor > 0 and without_gateway = 0`

export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    transactionId: text('transaction_id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The organisation whose balance is topped up or charged; null for personal payments. */
    organisationId: text('organisation_id'),
    purpose: text({ enum: ['verification', 'topup'] })
      .notNull()
      .default('verification'),
    /** IP address of the request that started the payment, for the log entry about its outcome. */
    ipAddress: text('ip_address'),
    provider: text().notNull(),
    /**
     * True for payments that were not made through a gateway. The payment counters exclude them. `payments/store.ts` derives
     * this from the provider.
     */
    withoutGateway: flag('without_gateway').notNull().default(false),
    /** Our reference at the gateway, at most 15 characters. Never overwritten. */
    providerReference: text('provider_reference').notNull().unique(),
    providerTxnId: text('provider_txn_id'),
    mode: text({ enum: ['test', 'live'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    amountPaidMinor: integer('amount_paid_minor'),
    /** The part of the gateway's fee that is passed on to the payer; included in the amount paid. */
    passedOnMinor: integer('passed_on_minor').notNull().default(0),
    /** The gateway's fee, as last reported; null while unknown. The ledger books it under `fees`. */
    gatewayFeeMinor: integer('gateway_fee_minor'),
    /** The tax included in the fee when the attempt was started; null for none. */
    taxName: text('tax_name'),
    taxBasisPoints: integer('tax_basis_points'),
    status: text({ enum: paymentStates }).notNull(),
    resolution: text({ enum: resolutions }),
    /** If the status is `failed`: the error catalogue's code for the decline. */
    declineCode: text('decline_code'),
    /** The gateway's own status and code, as last reported. */
    gatewayStatus: text('gateway_status'),
    /**
     * Where the browser sends the payer, and the form fields that it posts there; stored so that an open attempt can be
     * continued.
     */
    paymentUrl: text('payment_url'),
    paymentFields: text('payment_fields', { mode: 'json' }).$type<Record<string, string>>(),
    /** The policy `unknown_certificates` at the time when the attempt was started. */
    unknownPolicy: text('unknown_policy', { enum: ['free', 'charge'] }).notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    paidAt: time('paid_at'),
    expiresAt: time('expires_at').notNull(),
    requeries: integer().notNull().default(0),
    lastRequeryAt: time('last_requery_at'),
    nextRequeryAt: time('next_requery_at'),
    notFoundAnswers: integer('not_found_answers').notNull().default(0),
    leaseUntil: time('lease_until'),
    version: integer().notNull().default(0),
  },
  table => [
    uniqueIndex('payments_provider_txn')
      .on(table.provider, table.providerTxnId)
      .where(sql`provider_txn_id is not null`),
    index('payments_due').on(table.nextRequeryAt).where(sql`next_requery_at is not null`),
    index('payments_by_user').on(table.userId, table.createdAt, table.id, table.status),
    // Lists of all payments count their rows with these two indexes.
    index('payments_by_time').on(table.createdAt, table.id),
    index('payments_by_status').on(table.status, table.createdAt, table.id),
    // Finds the first payment that may exist at a gateway, which may come after millions of others.
    index('payments_at_gateway').on(table.createdAt).where(atGateway),
    // In the order in which payments are requeried: the one whose last requery was longest ago comes first.
    index('payments_waiting').on(sql`coalesce(last_requery_at, 0)`, table.createdAt).where(canChange),
    index('payments_by_organisation')
      .on(table.organisationId, table.createdAt, table.id)
      .where(sql`organisation_id is not null`),
    index('payments_topups').on(table.createdAt).where(sql`purpose = 'topup'`),
    check('payments_status', isOneOf(table.status, paymentStates)),
    check('payments_amount', sql`${table.amountMinor} >= 0`),
  ],
)

/** The certificates that a payment is for: one, or many for a bulk payment. */
export const paymentItems = sqliteTable(
  'payment_items',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    userId: text('user_id').notNull(),
    certificateNumber: text('certificate_number').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    createdAt: time('created_at').notNull(),
    /**
     * 1 while the attempt is open. Copied from the payment, so that a unique index can allow only one open attempt per user and
     * number.
     */
    open: integer().notNull(),
    /** Result and time of the verification, for lists of all verifications. Set by `payments/item-results-store.ts`. */
    result: text({ enum: ['pending', 'success', 'failed'] }).notNull(),
    resultAt: time('result_at').notNull(),
    /** The counter in `user_counters` that includes the item; `none` until the payment is paid and the item is delivered. */
    tally: text({ enum: ['none', 'found', 'again', 'not_found', 'due'] }).notNull(),
  },
  table => [
    uniqueIndex('payment_items_one_open').on(table.userId, table.certificateNumber).where(sql`open = 1`),
    index('payment_items_by_payment').on(table.paymentId),
    index('payment_items_by_user').on(table.userId, table.createdAt, table.id),
    index('payment_items_by_time').on(table.resultAt, table.id),
    index('payment_items_by_result').on(table.result, table.resultAt, table.id),
    // Finds the items with a certificate number, of one account or of all accounts.
    index('payment_items_by_number').on(table.certificateNumber, table.userId),
  ],
)

/** Condition for items that were paid for and have a result. All others are only attempts. */
export const isVerified = inArray(paymentItems.tally, ['found', 'again', 'not_found'])

/** Append-only history of a payment. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    type: text().notNull(),
    providerTxnId: text('provider_txn_id'),
    fromStatus: text('from_status'),
    toStatus: text('to_status'),
    /** What caused the event: `user`, `webhook`, `return`, `scheduler` or `reconcile`. */
    source: text().notNull(),
    actorId: text('actor_id'),
    amountMinor: integer('amount_minor'),
    code: text(),
    rawHash: text('raw_hash'),
    at: time('at').notNull(),
  },
  table => [
    uniqueIndex('payment_events_once').on(table.paymentId, table.type, sql`coalesce(provider_txn_id, '')`),
  ],
)

/** Callbacks from gateways, stored before they are answered; `processed_at` is set only after processing. */
export const webhookInbox = sqliteTable(
  'webhook_inbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    provider: text().notNull(),
    eventKey: text('event_key').notNull(),
    reference: text(),
    /** The gateway's ID of the dispute that the callback concerns, and when the disputes queue processed it. */
    providerDisputeId: text('provider_dispute_id'),
    disputeSeenAt: time('dispute_seen_at'),
    raw: text().notNull(),
    verified: flag('verified').notNull(),
    attempts: integer().notNull().default(0),
    receivedAt: time('received_at').notNull(),
    processedAt: time('processed_at'),
  },
  table => [
    uniqueIndex('webhook_inbox_once').on(table.provider, table.eventKey),
    index('webhook_inbox_due').on(table.receivedAt).where(sql`processed_at is null`),
    index('webhook_inbox_by_reference').on(table.reference),
    index('webhook_inbox_disputes')
      .on(table.receivedAt)
      .where(sql`provider_dispute_id is not null and dispute_seen_at is null`),
  ],
)

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    userId: text('user_id').notNull(),
    key: text().notNull(),
    requestHash: text('request_hash').notNull(),
    paymentId: text('payment_id'),
    createdAt: time('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_keys_by_time').on(table.createdAt),
  ],
)
