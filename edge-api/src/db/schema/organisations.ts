import {
  invitationStates,
  keyAccessLevels,
  keyModes,
  memberRoles,
  organisationStates,
} from '@portal/contract/organisation-shapes'
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from './accounts.ts'
import { time } from './columns.ts'

/**
 * Organisations. Each has an account in `users` with the same ID, which cannot log in. Its payments, letters and counters
 * belong to that account, so that code written for personal accounts also works for organisations.
 */
export const organisations = sqliteTable(
  'organisations',
  {
    id: text()
      .primaryKey()
      .references(() => users.id),
    name: text().notNull(),
    line1: text().notNull(),
    line2: text(),
    city: text().notNull(),
    region: text().notNull(),
    country: text().notNull(),
    contactEmail: text('contact_email').notNull(),
    phone: text().notNull(),
    registrationNumber: text('registration_number'),
    website: text(),
    state: text({ enum: organisationStates }).notNull(),
    /** Why staff suspended the organisation. */
    stateReason: text('state_reason'),
    vettedAt: time('vetted_at'),
    /** The prepaid balance, in kobo. `heldMinor` is the part of it that is reserved for verifications in progress. */
    balanceMinor: integer('balance_minor').notNull().default(0),
    heldMinor: integer('held_minor').notNull().default(0),
    /** The amount owed, in kobo, after a chargeback of money that was already spent. */
    debtMinor: integer('debt_minor').notNull().default(0),
    lowBalanceAlertMinor: integer('low_balance_alert_minor'),
    /** 1 after members were notified that the balance had fallen below the alert level; 0 again once it is above it. */
    lowBalanceNotified: integer('low_balance_notified').notNull().default(0),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  table => [
    index('organisations_by_time').on(table.createdAt, table.id),
    check('organisations_held', sql`${table.heldMinor} >= 0 and ${table.heldMinor} <= ${table.balanceMinor}`),
    check('organisations_debt', sql`${table.debtMinor} >= 0`),
  ],
)

export const organisationMembers = sqliteTable(
  'organisation_members',
  {
    organisationId: text('organisation_id')
      .notNull()
      .references(() => organisations.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    role: text({ enum: memberRoles }).notNull(),
    joinedAt: time('joined_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.organisationId, table.userId] }),
    index('organisation_members_by_user').on(table.userId, table.organisationId),
  ],
)

/** Invitations to join. Only the SHA-256 of a token is stored. */
export const organisationInvitations = sqliteTable(
  'organisation_invitations',
  {
    id: text().primaryKey(),
    organisationId: text('organisation_id')
      .notNull()
      .references(() => organisations.id),
    email: text().notNull(),
    role: text({ enum: memberRoles }).notNull(),
    /** `expired` is never stored; it follows from `expiresAt`. */
    state: text({ enum: invitationStates }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    invitedBy: text('invited_by'),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    index('organisation_invitations_by_organisation').on(table.organisationId, table.createdAt),
    index('organisation_invitations_by_email').on(table.email),
    uniqueIndex('organisation_invitations_one_pending')
      .on(table.organisationId, table.email)
      .where(sql`state = 'pending'`),
  ],
)

/** API keys. Only the SHA-256 hash of a secret is stored. Revoked and expired keys are kept as a record. */
export const organisationKeys = sqliteTable(
  'organisation_keys',
  {
    /** Defines the order, because several keys may be created in one millisecond. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: text('organisation_id')
      .notNull()
      .references(() => organisations.id),
    name: text().notNull(),
    mode: text({ enum: keyModes }).notNull(),
    access: text({ enum: keyAccessLevels }).notNull(),
    hash: text().notNull().unique(),
    prefix: text().notNull(),
    last4: text().notNull(),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
    /** When another key replaced this one, which still works until it expires. */
    rotatedAt: time('rotated_at'),
    /** When members were notified that the key will expire. */
    warnedAt: time('warned_at'),
  },
  table => [
    index('organisation_keys_by_organisation').on(table.organisationId, table.seq),
    index('organisation_keys_expiring')
      .on(table.expiresAt)
      .where(sql`revoked_at is null and rotated_at is null and warned_at is null`),
  ],
)

/** Idempotency keys of successful requests, kept for 7 days. Written in the same transaction as the request's changes. */
export const organisationIdempotencyKeys = sqliteTable(
  'organisation_idempotency_keys',
  {
    /** The organisation and mode or, for a request that creates an organisation, the account. */
    scope: text().notNull(),
    key: text().notNull(),
    requestHash: text('request_hash').notNull(),
    reply: text({ mode: 'json' }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('organisation_idempotency_keys_by_time').on(table.createdAt),
  ],
)
