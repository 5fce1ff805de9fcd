import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems } from './payments.ts'

const letterStates = ['valid', 'withdrawn', 'superseded'] as const

/**
 * Issued letters: one for each fulfilled item, and those replaced by a corrected one. The numbered
 * reference and the code never change; a letter's status is derived from the certificate on each request.
 */
export const letters = sqliteTable(
  'letters',
  {
    code: text().primaryKey(),
    refNumber: text('ref_number').notNull().unique(),
    paymentItemId: text('payment_item_id')
      .notNull()
      .references(() => paymentItems.id),
    userId: text('user_id').notNull(),
    /** The requester's name in the letter's text, as of its issue; an erasure removes it there. */
    holderName: text('holder_name'),
    certificateId: text('certificate_id').notNull(),
    /** The letter's whole content (`VerificationTemplate`) as issued. */
    template: text({ mode: 'json' }).notNull(),
    /** The certificate in the letter (`VerifiedCertificate`): later corrections are compared with it. */
    snapshot: text({ mode: 'json' }),
    /** The letter's own status: withdrawn with its payment, superseded by a newer letter. */
    status: text({ enum: letterStates }).notNull(),
    issuedAt: time('issued_at').notNull(),
    /** Time of the last status change. */
    statusAt: time('status_at').notNull(),
    /** Code of the corrected letter that replaced it. */
    replacedBy: text('replaced_by'),
    /** The status that its holder was last notified of. */
    notifiedStatus: text('notified_status', { enum: letterStates }).notNull().default('valid'),
    /** The status that its letter holder has yet to be notified of. */
    pendingStatus: text('pending_status', { enum: letterStates }),
    /** How often its public page was opened, and when it was last opened. */
    checks: integer().notNull().default(0),
    lastCheckedAt: time('last_checked_at'),
    /**
     * Its place in the status lists, drawn at random when its first credential is issued: list `index / 131072`, and the bit
     * within it. A random index reveals nothing about other credentials.
     */
    statusIndex: integer('status_index'),
  },
  table => [
    index('letters_by_certificate').on(table.certificateId),
    uniqueIndex('letters_one_current').on(table.paymentItemId).where(sql`replaced_by is null`),
    index('letters_by_item').on(table.paymentItemId),
    uniqueIndex('letters_status_index').on(table.statusIndex).where(sql`status_index is not null`),
    index('letters_notification_due').on(table.userId).where(sql`pending_status is not null`),
  ],
)

/** The public part of every key that ever signed a letter: letters stay verifiable when keys change. */
export const letterKeys = sqliteTable('letter_keys', {
  /** Thumbprint of the key (RFC 7638). */
  kid: text().primaryKey(),
  /** The public key as JWK. */
  jwk: text({ mode: 'json' }).notNull(),
  /** X.509, DER in base64: issued when the key was first used, and again if it did not meet readers' requirements. */
  certificate: text().notNull(),
  createdAt: time('created_at').notNull(),
  /** Set if the key was compromised: its signatures are no longer accepted. */
  revokedAt: time('revoked_at'),
})

/** The CAs that issue certificates for letter keys: the one that is not retired is current. */
export const letterAuthorities = sqliteTable('letter_authorities', {
  /** Thumbprint of its key (RFC 7638). */
  kid: text().primaryKey(),
  /** X.509, DER in base64: self-signed. */
  certificate: text().notNull(),
  /** The private key as JWK, encrypted with a key derived from the JWT secrets. */
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
  /** Set when another one replaced it. */
  retiredAt: time('retired_at'),
})
