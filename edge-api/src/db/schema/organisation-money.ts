import {
  verificationResults,
  verificationSources,
  verificationStatuses,
} from '@portal/contract/organisation-shapes'
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'
import { organisations } from './organisations.ts'
import { payments } from './payments.ts'

export const movementTypes = [
  'topup',
  'bank_credit',
  'charge',
  'charge_returned',
  'payout',
  'credit_reversed',
  'chargeback',
  'debt_settled',
] as const
export type MovementType = (typeof movementTypes)[number]

const organisationColumn = () =>
  text('organisation_id')
    .notNull()
    .references(() => organisations.id)

/** Every change to a balance, append-only. The sum of an organisation's movements is its balance. Holds are not movements. */
export const organisationMovements = sqliteTable(
  'organisation_movements',
  {
    /** Defines the order: several movements may share a timestamp. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: organisationColumn(),
    type: text({ enum: movementTypes }).notNull(),
    /** Positive for money received, and negative for money spent. */
    amountMinor: integer('amount_minor').notNull(),
    balanceAfterMinor: integer('balance_after_minor').notNull(),
    description: text().notNull(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    /** Identifies the cause; unique, so that no movement is recorded twice. */
    dedupeKey: text('dedupe_key').notNull().unique(),
    at: time('at').notNull(),
  },
  table => [
    index('organisation_movements_by_organisation').on(table.organisationId, table.seq),
    index('organisation_movements_by_time').on(table.organisationId, table.at),
    index('organisation_movements_by_type').on(table.type, table.at),
    index('organisation_movements_by_payment').on(table.paymentId),
  ],
)

/** Verification requests of all members, one row per request. */
export const organisationVerifications = sqliteTable(
  'organisation_verifications',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: organisationColumn(),
    certificateNumber: text('certificate_number').notNull(),
    reference: text(),
    purpose: text(),
    status: text({ enum: verificationStatuses }).notNull(),
    result: text({ enum: verificationResults }),
    amountMinor: integer('amount_minor').notNull(),
    /** Null if nothing was delivered, e.g. for an unknown number under the `free` policy. */
    paymentId: text('payment_id').references(() => payments.id),
    batchId: text('batch_id'),
    requestedBy: text('requested_by'),
    source: text({ enum: verificationSources }).notNull(),
    livemode: flag('livemode').notNull(),
    createdAt: time('created_at').notNull(),
    completedAt: time('completed_at'),
    /** Test mode only: when the next simulated change of the verification, or of its letter, is due. */
    dueAt: time('due_at'),
  },
  table => [
    index('organisation_verifications_due').on(table.dueAt).where(sql`due_at is not null`),
    index('organisation_verifications_test').on(table.createdAt).where(sql`livemode = 0`),
    index('organisation_verifications_by_organisation').on(table.organisationId, table.seq),
    index('organisation_verifications_by_number').on(table.organisationId, table.certificateNumber),
    index('organisation_verifications_by_result').on(table.organisationId, table.livemode, table.result),
    index('organisation_verifications_by_payment').on(table.paymentId),
    index('organisation_verifications_by_requester').on(table.requestedBy),
  ],
)

export const batchStatuses = ['processing', 'completed', 'cancelled'] as const
export const batchItemStatuses = [
  'pending',
  'verified',
  'already_paid',
  'not_found',
  'invalid',
  'awaiting_consent',
  'refused',
  'expired',
  'cancelled',
] as const

export const organisationBatches = sqliteTable(
  'organisation_batches',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: organisationColumn(),
    name: text(),
    purpose: text(),
    status: text({ enum: batchStatuses }).notNull(),
    /** Fee and policy at the start of the batch. Later changes to the settings do not affect it. */
    feeMinor: integer('fee_minor').notNull(),
    unknownPolicy: text('unknown_policy', { enum: ['free', 'charge'] }).notNull(),
    taxName: text('tax_name'),
    taxBasisPoints: integer('tax_basis_points'),
    total: integer().notNull(),
    /** When a batch that has hit the rate limit for unknown numbers resumes. */
    waitingUntil: time('waiting_until'),
    requestedBy: text('requested_by'),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    source: text({ enum: ['portal', 'api'] }).notNull(),
    livemode: flag('livemode').notNull(),
    /** Lease. Once it has expired, another process continues the batch. */
    leaseUntil: time('lease_until'),
    createdAt: time('created_at').notNull(),
    completedAt: time('completed_at'),
  },
  table => [
    index('organisation_batches_by_organisation').on(table.organisationId, table.seq),
    index('organisation_batches_test').on(table.createdAt).where(sql`livemode = 0`),
    index('organisation_batches_running').on(table.createdAt).where(sql`status = 'processing'`),
  ],
)

export const organisationBatchItems = sqliteTable(
  'organisation_batch_items',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    batchId: text('batch_id').notNull(),
    /** The certificate number, as entered if it is invalid. */
    certificateNumber: text('certificate_number').notNull(),
    status: text({ enum: batchItemStatuses }).notNull(),
    message: text(),
    verificationId: text('verification_id'),
  },
  table => [
    index('organisation_batch_items_by_batch').on(table.batchId, table.seq),
    index('organisation_batch_items_pending').on(table.batchId, table.seq).where(sql`status = 'pending'`),
    index('organisation_batch_items_by_status').on(table.batchId, table.status),
  ],
)

export const holdStates = ['held', 'captured', 'released'] as const

/** Parts of a balance that are reserved for an item of a batch, or for a verification that awaits consent. */
export const organisationHolds = sqliteTable(
  'organisation_holds',
  {
    id: text().primaryKey(),
    organisationId: organisationColumn(),
    batchItemSeq: integer('batch_item_seq').unique(),
    verificationId: text('verification_id').unique(),
    amountMinor: integer('amount_minor').notNull(),
    state: text({ enum: holdStates }).notNull(),
    createdAt: time('created_at').notNull(),
    endedAt: time('ended_at'),
  },
  table => [
    index('organisation_holds_open').on(table.organisationId, table.createdAt).where(sql`state = 'held'`),
    index('organisation_holds_old').on(table.createdAt).where(sql`state = 'held'`),
    check('organisation_holds_amount', sql`${table.amountMinor} > 0`),
  ],
)

export const invoiceStates = ['open', 'paid', 'cancelled', 'expired'] as const

export const organisationInvoices = sqliteTable(
  'organisation_invoices',
  {
    id: text().primaryKey(),
    organisationId: organisationColumn(),
    year: integer().notNull(),
    /** Number of the invoice within its year, consecutive from 1. The column keeps its original name, `place`. */
    numberInYear: integer('place').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** `expired` is never stored; it follows from `dueOn`. */
    state: text({ enum: invoiceStates }).notNull(),
    /** `YYYY-MM-DD`. */
    dueOn: text('due_on').notNull(),
    /** Name and address of the organisation at the time of issue, for the PDF. */
    addressee: text({ mode: 'json' }).notNull(),
    bankDetails: text('bank_details', { mode: 'json' }).notNull(),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    paidAt: time('paid_at'),
    paymentId: text('payment_id'),
  },
  table => [
    uniqueIndex('organisation_invoices_number').on(table.year, table.numberInYear),
    index('organisation_invoices_by_organisation').on(table.organisationId, table.createdAt),
    index('organisation_invoices_open').on(table.expiresAt).where(sql`state = 'open'`),
  ],
)

/** Bank transfers that super admins recorded: credits and payouts. */
export const organisationTransfers = sqliteTable(
  'organisation_transfers',
  {
    paymentId: text('payment_id')
      .primaryKey()
      .references(() => payments.id),
    organisationId: organisationColumn(),
    kind: text({ enum: ['credit', 'payout'] }).notNull(),
    bankReference: text('bank_reference').notNull(),
    /** The reference in canonical form: without case and spaces. */
    referenceKey: text('reference_key').notNull(),
    receivedOn: text('received_on'),
    invoiceId: text('invoice_id'),
    note: text(),
    reversedAt: time('reversed_at'),
    createdAt: time('created_at').notNull(),
  },
  table => [
    // Unique among transfers that have not been reversed: reversing a credit makes its reference available again.
    uniqueIndex('organisation_transfers_reference')
      .on(table.referenceKey)
      .where(sql`kind = 'credit' and reversed_at is null`),
    index('organisation_transfers_by_organisation').on(table.organisationId, table.createdAt),
  ],
)
