import { createClient } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Amounts are minor units (kobo); times are milliseconds since 1970. */
export const transactions = sqliteTable(
  'transactions',
  {
    transactionId: text('transaction_id').primaryKey(),
    requestId: text('request_id').notNull().unique(),
    kind: text('kind', { enum: ['payment', 'certificate', 'invoice'] }).notNull(),
    paymentCode: text('payment_code').notNull(),
    amountDue: integer('amount_due').notNull(),
    currency: text('currency').notNull(),
    amountPaid: integer('amount_paid').notNull(),
    paidCurrency: text('paid_currency').notNull(),
    sname: text('sname').notNull(),
    fname: text('fname').notNull(),
    email: text('email').notNull(),
    regnum: text('regnum').notNull(),
    purpose: text('purpose').notNull(),
    payee: text('payee').notNull(),
    callbackUrl: text('callback_url'),
    /** SHA-256 of the body that created the transaction, to distinguish a repeated request from a conflicting one. */
    fingerprint: text('fingerprint').notNull(),
    idempotencyKey: text('idempotency_key').unique(),
    /** The X-Scenario-Key given when the transaction was created, which applies to all its calls. */
    scenario: text('scenario').notNull(),
    status: text('status', {
      enum: ['PENDING', 'PROCESSING', 'APPROVED', 'FAILED', 'CANCELLED', 'EXPIRED'],
    }).notNull(),
    code: text('code').notNull(),
    /** First six and last four digits of the card number. The whole number is never stored. */
    cardFirst6: text('card_first6'),
    cardLast4: text('card_last4'),
    otpTries: integer('otp_tries').notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** For optimistic locking: each update increments it, and fails if it has changed since the read. */
    version: integer('version').notNull(),
    changeId: text('change_id').notNull(),
  },
  table => [
    index('transactions_newest').on(table.createdAt, table.transactionId),
    index('transactions_open').on(table.status, table.expiresAt),
  ],
)

/** One browser's access to one transaction. Only the hash of its token is stored. */
export const checkoutSessions = sqliteTable('checkout_sessions', {
  tokenHash: text('token_hash').primaryKey(),
  transactionId: text('transaction_id').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    eventId: text('event_id').notNull(),
    transactionId: text('transaction_id').notNull(),
    requestId: text('request_id').notNull(),
    event: text('event').notNull(),
    /** The body as sent. A retry sends the same bytes. */
    raw: text('raw').notNull(),
    badSignature: integer('bad_signature', { mode: 'boolean' }).notNull(),
    status: text('status', { enum: ['pending', 'delivered', 'failed', 'dropped'] }).notNull(),
    attempts: integer('attempts').notNull(),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastStatus: integer('last_status'),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    index('deliveries_due').on(table.status, table.nextAttemptAt),
    index('deliveries_transaction').on(table.transactionId, table.id),
  ],
)

/** Disputes, which are opened through the control API (`control.ts`). */
export const disputes = sqliteTable('disputes', {
  disputeId: text('dispute_id').primaryKey(),
  transactionId: text('transaction_id').notNull(),
  requestId: text('request_id').notNull(),
  status: text('status', {
    enum: ['OPEN', 'UNDER_REVIEW', 'ACCEPTED', 'WON', 'LOST', 'EXPIRED'],
  }).notNull(),
  amount: integer('amount').notNull(),
  currency: text('currency').notNull(),
  fee: integer('fee').notNull(),
  category: text('category').notNull(),
  reason: text('reason').notNull(),
  /** The merchant's answer, as JSON. */
  answer: text('answer'),
  /** Size of the file sent as evidence, as JSON. */
  file: text('file'),
  dueAt: integer('due_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export type Dispute = typeof disputes.$inferSelect
export type Transaction = typeof transactions.$inferSelect
export type Delivery = typeof deliveries.$inferSelect
export type Db = LibSQLDatabase

const createTransactionTables = `
CREATE TABLE transactions (
  transaction_id TEXT PRIMARY KEY, request_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'certificate', 'invoice')), payment_code TEXT NOT NULL,
  amount_due INTEGER NOT NULL CHECK (amount_due > 0), currency TEXT NOT NULL,
  amount_paid INTEGER NOT NULL CHECK (amount_paid >= 0), paid_currency TEXT NOT NULL,
  sname TEXT NOT NULL, fname TEXT NOT NULL, email TEXT NOT NULL, regnum TEXT NOT NULL, callback_url TEXT,
  fingerprint TEXT NOT NULL, idempotency_key TEXT UNIQUE, scenario TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'APPROVED', 'FAILED', 'CANCELLED', 'EXPIRED')),
  code TEXT NOT NULL, card_first6 TEXT, card_last4 TEXT, otp_tries INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL, change_id TEXT NOT NULL
) STRICT;
CREATE INDEX transactions_newest ON transactions (created_at, transaction_id);
CREATE INDEX transactions_open ON transactions (status, expires_at);
CREATE TABLE checkout_sessions (
  token_hash TEXT PRIMARY KEY, transaction_id TEXT NOT NULL REFERENCES transactions, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL REFERENCES transactions, request_id TEXT NOT NULL, event TEXT NOT NULL,
  raw TEXT NOT NULL, bad_signature INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL, next_attempt_at INTEGER NOT NULL, last_status INTEGER, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (status, next_attempt_at);
CREATE INDEX deliveries_transaction ON deliveries (transaction_id, id);
`

const createDisputeTable = `
CREATE TABLE disputes (
  dispute_id TEXT PRIMARY KEY, transaction_id TEXT NOT NULL REFERENCES transactions, request_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'UNDER_REVIEW', 'ACCEPTED', 'WON', 'LOST', 'EXPIRED')),
  amount INTEGER NOT NULL CHECK (amount > 0), currency TEXT NOT NULL, fee INTEGER NOT NULL CHECK (fee >= 0),
  category TEXT NOT NULL, reason TEXT NOT NULL, answer TEXT, file TEXT,
  due_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX disputes_newest ON disputes (created_at, dispute_id);
`

const addPurposeAndPayee = `
ALTER TABLE transactions ADD COLUMN purpose TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payee TEXT NOT NULL DEFAULT '';
`

/** The migrations, each of which is applied once, in this order. Add new ones at the end, and never edit old ones. */
const migrations = [createTransactionTables, createDisputeTable, addPurposeAndPayee]

/**
 * Opens the service's own database at any libSQL URL, creates it if necessary, and migrates it. `close` ends all connections.
 */
export async function openDatabase(url: string, authToken?: string): Promise<{ db: Db; close: () => void }> {
  // Loads the native driver only for a file: a process that uses a server has no permission to load it.
  const open = url.startsWith('file:') ? (await import('@libsql/client')).createClient : createClient
  const client = open({ url, timeout: 5000, ...(authToken !== undefined && { authToken }) })
  if (url.startsWith('file:')) await client.execute('PRAGMA journal_mode = WAL')
  await client.execute('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  for (const [version, statements] of migrations.entries()) {
    if (await isApplied(version)) continue
    const steps = statements
      .split(';')
      .map(step => step.trim())
      .filter(step => step !== '')
    try {
      await client.batch([`INSERT INTO migrations VALUES (${version})`, ...steps], 'write')
    } catch (cause) {
      // Another process may have applied the migration in the meantime, which is not a failure.
      if (!(await isApplied(version))) throw cause
    }
  }
  return { db: drizzle(client), close: () => client.close() }

  async function isApplied(version: number): Promise<boolean> {
    const found = await client.execute({ sql: 'SELECT 1 FROM migrations WHERE version = ?', args: [version] })
    return found.rows.length > 0
  }
}
