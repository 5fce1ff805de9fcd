import { onConflicts, uploadStates } from '@portal/contract/admin-uploads'
import { notificationKinds } from '@portal/contract/notifications'
import { activityStatuses, activityTypes } from '@portal/format/activity'
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

/*
 * Every table of the portal. Times are integers of milliseconds since 1970 (UTC), money is integers of minor units
 * (kobo), ids are random UUIDs. The payment service has a database of its own and shares nothing with this one.
 */

const time = (name: string) => integer(name, { mode: 'number' })
const flag = (name: string) => integer(name, { mode: 'boolean' })
const oneOf = (column: SQLiteColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map(value => `'${value}'`).join(', '))})`

// --- accounts -------------------------------------------------------------------------------------------------

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull().unique(),
    firstname: text().notNull(),
    middlename: text(),
    lastname: text().notNull(),
    phone: text().notNull().default(''),
    address: text().notNull().default(''),
    /** `scrypt$N$r$p$salt$hash`: the parameters stay with the hash, so that they can rise. */
    passwordHash: text('password_hash').notNull(),
    role: text({ enum: ['user', 'admin', 'super_admin'] }).notNull(),
    isEnabled: flag('is_enabled').notNull(),
    verifiedAt: time('verified_at'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  table => [
    index('users_by_creation').on(table.createdAt, table.id),
    // Staff are few among many: whom to tell is found without reading everyone.
    index('users_staff').on(table.id).where(sql`role <> 'user'`),
    check('users_role', oneOf(table.role, ['user', 'admin', 'super_admin'])),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('sessions_by_user').on(table.userId), index('sessions_by_expiry').on(table.expiresAt)],
)

/** Links that were mailed. Only the SHA-256 of a token is kept. */
export const mailTokens = sqliteTable(
  'mail_tokens',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['verify_email', 'reset_password'] }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  table => [index('mail_tokens_by_user').on(table.userId, table.purpose)],
)

/** What the limiter counted, shared by every process: one row a limit, subject and slot of its sliding window. */
export const rateLimits = sqliteTable(
  'rate_limits',
  {
    /** Limit name and the SHA-256 of its subject, so that no address or e-mail lies here. */
    key: text().notNull(),
    windowStart: time('window_start').notNull(),
    count: integer().notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.key, table.windowStart] }),
    index('rate_limits_by_expiry').on(table.expiresAt),
  ],
)

// --- register of certificates ---------------------------------------------------------------------------------

export const certificates = sqliteTable(
  'certificates',
  {
    /** Their order, and what the search index knows them by: newest first is highest first. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    certificateNumber: text('certificate_number').notNull(),
    studentName: text('student_name').notNull(),
    matricNumber: text('matric_number'),
    course: text().notNull(),
    graduationDate: text('graduation_date').notNull(),
    grade: text().notNull(),
    department: text().notNull(),
    uploaderEmail: text('uploader_email'),
    uploadedAt: time('uploaded_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** Set instead of deleting the row once letters were issued for it. */
    withdrawnAt: time('withdrawn_at'),
    /** Number, name and course folded for the search; empty once withdrawn, so that no search finds it. */
    folded: text().notNull(),
  },
  table => [
    // A withdrawn certificate keeps its history, and its number may be entered anew.
    uniqueIndex('certificates_number').on(table.certificateNumber).where(sql`withdrawn_at is null`),
    // Pages of the list are counted off here: narrow, and in their order.
    index('certificates_standing').on(table.seq).where(sql`withdrawn_at is null`),
  ],
)

// The trigram index over `folded` is the virtual table `certificate_search` of the migration `uploads`; triggers feed it.

/** Uploads of certificates, kept for good. */
export const uploads = sqliteTable(
  'uploads',
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    uploaderId: text('uploader_id').notNull(),
    uploaderEmail: text('uploader_email').notNull(),
    filename: text().notNull(),
    dryRun: flag('dry_run').notNull(),
    onConflict: text('on_conflict', { enum: onConflicts }).notNull(),
    state: text({ enum: uploadStates }).notNull(),
    /** Rows of the file; null until it has arrived whole. */
    total: integer(),
    /** Rows done: where an import goes on after its process died. */
    processed: integer().notNull().default(0),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    error: text(),
    cancelRequested: flag('cancel_requested').notNull().default(false),
    /** Who works on it renews this; when it has passed, the process is gone. */
    leaseUntil: time('lease_until'),
    /** True while rows are staged that are not needed any more. */
    untidy: flag('untidy').notNull().default(true),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
  },
  table => [index('uploads_open').on(table.leaseUntil).where(sql`untidy`)],
)

/**
 * Rows of uploads. A valid row lies here until it is on record; a failed one stays, as it stood in the file. The key is
 * the upload's `seq` and the row's place (`uploads/places.ts`), so that chunks are ranges and no index is needed.
 */
export const uploadRows = sqliteTable('upload_rows', {
  id: integer().primaryKey(),
  /** Line of the file, the header being 1. */
  line: integer().notNull(),
  certificateNumber: text('certificate_number').notNull(),
  studentName: text('student_name').notNull(),
  matricNumber: text('matric_number'),
  course: text().notNull(),
  graduationDate: text('graduation_date').notNull(),
  grade: text().notNull(),
  department: text().notNull(),
  folded: text(),
  /** Id of the row that may have the same number, further up in the file. */
  firstId: integer('first_id'),
  /** `unchanged` or `updated`; null for a row that is new. */
  outcome: text({ enum: ['unchanged', 'updated'] }),
  changes: text(),
  error: text(),
})

/** What became of the rows that succeeded, a chunk a row: `[line, number, outcome, changes][]` as JSON. */
export const uploadReports = sqliteTable(
  'upload_reports',
  {
    uploadSeq: integer('upload_seq').notNull(),
    /** Id of the chunk's last row. */
    lastId: integer('last_id').notNull(),
    rows: text().notNull(),
  },
  table => [primaryKey({ columns: [table.uploadSeq, table.lastId] })],
)

// --- settings -------------------------------------------------------------------------------------------------

/** One JSON value a key; `settings/rules.ts` names the keys with their shapes and defaults. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
  updatedAt: time('updated_at').notNull(),
  updatedBy: text('updated_by'),
})

// --- payments -------------------------------------------------------------------------------------------------

const paymentStatuses = [
  'created',
  'pending',
  'unknown',
  'processing',
  'paid',
  'mismatched',
  'failed',
  'cancelled',
  'expired',
  'review',
  'refunded',
  'reversed',
] as const

const resolutions = ['verified', 'not_found', 'refund_due', 'refunded', 'reversed', 'review'] as const

export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    transactionId: text('transaction_id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    provider: text().notNull(),
    /** The reference given to the gateway, at most 15 characters. Never overwritten. */
    providerReference: text('provider_reference').notNull().unique(),
    providerTxnId: text('provider_txn_id'),
    mode: text({ enum: ['test', 'live'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    amountPaidMinor: integer('amount_paid_minor'),
    status: text({ enum: paymentStatuses }).notNull(),
    resolution: text({ enum: resolutions }),
    /** The catalogue's code of a decline, beside `failed`. */
    declineCode: text('decline_code'),
    /** The gateway's own word and code, as last heard. */
    gatewayStatus: text('gateway_status'),
    /** What the browser posts to the gateway, kept so that an open attempt can be gone on with. */
    paymentUrl: text('payment_url'),
    paymentFields: text('payment_fields', { mode: 'json' }).$type<Record<string, string>>(),
    /** Policy `unknown_certificates` when the attempt was started. */
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
    uniqueIndex('payments_provider_txn').on(table.provider, table.providerTxnId),
    index('payments_due').on(table.nextRequeryAt).where(sql`next_requery_at is not null`),
    index('payments_by_user').on(table.userId, table.createdAt),
    check('payments_status', oneOf(table.status, paymentStatuses)),
    check('payments_amount', sql`${table.amountMinor} >= 0`),
  ],
)

/** The certificate numbers a payment is for: one, or many for a bulk payment. */
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
    /** 1 while the attempt is open; repeated here so that an index can allow only one a user and number. */
    open: integer().notNull(),
  },
  table => [
    uniqueIndex('payment_items_one_open').on(table.userId, table.certificateNumber).where(sql`open = 1`),
    index('payment_items_by_payment').on(table.paymentId),
    index('payment_items_by_user').on(table.userId, table.createdAt, table.id),
    index('payment_items_by_number').on(table.userId, table.certificateNumber),
  ],
)

/** Append-only story of a payment. */
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
    /** What asked: user, webhook, return, tick, reconcile. */
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

/** Hints from gateways, kept before they are answered; `processed_at` only after they were acted on. */
export const webhookInbox = sqliteTable(
  'webhook_inbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    provider: text().notNull(),
    eventKey: text('event_key').notNull(),
    reference: text(),
    raw: text().notNull(),
    verified: flag('verified').notNull(),
    attempts: integer().notNull().default(0),
    receivedAt: time('received_at').notNull(),
    processedAt: time('processed_at'),
  },
  table => [
    uniqueIndex('webhook_inbox_once').on(table.provider, table.eventKey),
    index('webhook_inbox_due').on(table.receivedAt).where(sql`processed_at is null`),
  ],
)

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

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    userId: text('user_id').notNull(),
    key: text().notNull(),
    requestHash: text('request_hash').notNull(),
    paymentId: text('payment_id'),
    createdAt: time('created_at').notNull(),
  },
  table => [primaryKey({ columns: [table.userId, table.key] })],
)

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

// --- mail, audit, jobs ----------------------------------------------------------------------------------------

/** Mail to be sent. The payload is sealed (it may hold a link's token) and erased once delivered. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['mail'] }).notNull(),
    sealed: text(),
    /** Set once for a mail that must not be sent twice, e.g. the receipt of a payment. */
    dedupeKey: text('dedupe_key').unique(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    leaseUntil: time('lease_until'),
    createdAt: time('created_at').notNull(),
    deliveredAt: time('delivered_at'),
  },
  table => [index('outbox_due').on(table.nextAttemptAt).where(sql`next_attempt_at is not null`)],
)

/** What an account is told in the portal's own header; the newest 200 each are kept. */
export const notifications = sqliteTable(
  'notifications',
  {
    /** Their order; `id` is what the outside knows. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: notificationKinds }).notNull(),
    title: text().notNull(),
    body: text().notNull(),
    /** Path of a page of the portal. */
    link: text(),
    createdAt: time('created_at').notNull(),
    readAt: time('read_at'),
  },
  table => [
    index('notifications_by_user').on(table.userId, table.seq),
    index('notifications_unread').on(table.userId).where(sql`read_at is null`),
  ],
)

/**
 * Who did what, append-only; written in the same transaction as the change. Triggers of the migration `audit_chain`
 * refuse to change or delete what is sealed.
 */
export const activityLog = sqliteTable(
  'activity_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: text('user_id'),
    userEmail: text('user_email'),
    activity: text().notNull(),
    /** `classifyActivity` of the activity, kept so that filters agree with what is shown. */
    type: text({ enum: activityTypes }),
    status: text({ enum: activityStatuses }),
    details: text().notNull().default(''),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    at: time('at').notNull(),
    /** Random; blanked together with the personal values when they are erased, which leaves the commitment empty of them. */
    salt: text(),
    /** SHA-256 over salt and personal values (e-mail, details, address): what the chain hashes in their place. */
    commitment: text(),
    /** SHA-256 over the former entry's hash and this entry; null until the tick has sealed it. */
    hash: text(),
  },
  table => [
    index('activity_by_time').on(table.at, table.userId, table.type, table.status),
    index('activity_by_user').on(table.userId, table.at),
    index('activity_unsealed').on(table.id).where(sql`hash is null`),
  ],
)

/** The newest sealed entry, so that entries cut off at the end are missed too. One row. */
export const activityHead = sqliteTable('activity_head', {
  id: integer().primaryKey(),
  sealedId: integer('sealed_id').notNull(),
  hash: text().notNull(),
})

/**
 * What happened on a UTC day. Triggers of the migration `audit_chain` keep it in the transaction of every change, so
 * that dashboards add up some thousand rows at most, however many verifications there are.
 */
export const dailyCounters = sqliteTable('daily_counters', {
  day: text().primaryKey(),
  /** Accounts made on the day. */
  users: integer().notNull().default(0),
  /** Certificates entered on the day that still stand. */
  certificates: integer().notNull().default(0),
  /** Paid and delivered: found and not found. */
  verifications: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  notFound: integer('not_found').notNull().default(0),
  /** Earned less what was reversed, in kobo. */
  revenueMinor: integer('revenue_minor').notNull().default(0),
})

/** One lease a scheduled job, so that two ticks at once do its work once. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  leaseUntil: time('lease_until').notNull(),
  lastRunAt: time('last_run_at'),
})
