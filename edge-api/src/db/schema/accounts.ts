import { notificationKinds } from '@portal/contract/notifications'
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, isOneOf, time } from './columns.ts'

/** SQL for the folded last name, exactly as it is indexed: the index is used only for queries with the same expression. */
export const FOLDED_LASTNAME = 'coalesce(sort_name, lower(lastname))'

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull().unique(),
    firstname: text().notNull(),
    middlename: text(),
    lastname: text().notNull(),
    /** The folded last name if it contains non-ASCII characters, which SQLite's `lower` does not fold; otherwise null. */
    sortName: text('sort_name'),
    phone: text().notNull().default(''),
    address: text().notNull().default(''),
    /**
     * `scrypt$N$r$p$salt$hash`: the parameters are stored with the hash, so that they can be raised. Empty if no password has
     * been chosen yet.
     */
    passwordHash: text('password_hash').notNull(),
    role: text({ enum: ['user', 'admin', 'super_admin'] }).notNull(),
    isEnabled: flag('is_enabled').notNull(),
    verifiedAt: time('verified_at'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When the account's personal data is due to be erased; null after the erasure, or if none was requested. */
    erasureDueAt: time('erasure_due_at'),
    /** When the account's personal data was erased. The row is kept, because payments and letters refer to it. */
    erasedAt: time('erased_at'),
    /**
     * Incremented with each change that is recorded in the account's history, which excludes changes of sessions and passwords.
     */
    version: integer().notNull().default(1),
  },
  table => [
    // The list of accounts counts its rows with these two indexes for every filter. The second one also finds staff.
    index('users_by_creation').on(
      table.createdAt,
      table.id,
      table.isEnabled,
      table.verifiedAt,
      table.erasedAt,
    ),
    index('users_by_role').on(
      table.role,
      table.createdAt,
      table.id,
      table.isEnabled,
      table.verifiedAt,
      table.erasedAt,
    ),
    index('users_by_lastname').on(sql.raw(FOLDED_LASTNAME), table.createdAt),
    index('users_erasure_due').on(table.erasureDueAt).where(sql`erasure_due_at is not null`),
    check('users_role', isOneOf(table.role, ['user', 'admin', 'super_admin'])),
  ],
)

/**
 * Folded search text of accounts, one item per line (see `accounts/text-store.ts`). A separate table, because the search index
 * needs a stable integer key. Triggers write the text in lowercase, and `accounts/text-store.ts` then removes diacritics. Its
 * trigram index is the virtual table `user_search` of the migration `0001_counters_and_search`.
 */
export const userTexts = sqliteTable('user_texts', {
  seq: integer().primaryKey(),
  userId: text('user_id').notNull().unique(),
  folded: text().notNull(),
})

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** Browser and operating system, shown to help the account's owner recognise the session; null if unknown. */
    browser: text(),
    system: text(),
    ipAddress: text('ip_address'),
    /** When the session last opened the portal, to within a few minutes. */
    lastUsedAt: time('last_used_at'),
  },
  table => [index('sessions_by_user').on(table.userId), index('sessions_by_expiry').on(table.expiresAt)],
)

/** Tokens of mailed links. Only the SHA-256 hash of a token is stored. */
export const mailTokens = sqliteTable(
  'mail_tokens',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['verify_email', 'reset_password', 'invitation'] }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  table => [
    index('mail_tokens_by_user').on(table.userId, table.purpose),
    index('mail_tokens_by_expiry').on(table.expiresAt),
  ],
)

/** The authenticator app of an account (TOTP, RFC 6238). It has no effect until it is confirmed. */
export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The shared secret. It is encrypted and not hashed, because checking a code needs it. */
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: time('created_at').notNull(),
  confirmedAt: time('confirmed_at'),
  /** The latest time step whose code was accepted, so that no code is accepted twice. */
  lastStep: integer('last_step').notNull().default(0),
})

/**
 * Recovery codes for a lost app, each of which works once. Only SHA-256 hashes are stored, which is safe for 120 random bits.
 */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usedAt: time('used_at'),
  },
  table => [index('recovery_codes_by_user').on(table.userId)],
)

/** Counters of the rate limiter, shared by all processes: one row per limit, subject and time slot of the sliding window. */
export const rateLimits = sqliteTable(
  'rate_limits',
  {
    /** Name of the limit and SHA-256 hash of its subject, so that no IP address or email address is stored here. */
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

/** Notifications in the portal's header; the newest 200 of each account are kept. */
export const notifications = sqliteTable(
  'notifications',
  {
    /** Determines the order; `id` is the public identifier. */
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
