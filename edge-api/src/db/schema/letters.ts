import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems } from './payments.ts'

const letterStates = ['valid', 'withdrawn', 'superseded'] as const

/**
 * Issued letters: the current letter of each fulfilled item, and the letters that it replaced. A letter's reference number and
 * code never change. The status shown is derived from the certificate on each request.
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
    /** The requester's name as it appears in the letter's text, so that an erasure can find and remove it there. */
    holderName: text('holder_name'),
    certificateId: text('certificate_id').notNull(),
    /** The letter's whole content (`VerificationTemplate`) as issued. */
    template: text({ mode: 'json' }).notNull(),
    /** The certificate as described in the letter (`VerifiedCertificate`). Later corrections are compared with it. */
    snapshot: text({ mode: 'json' }),
    /**
     * The letter's own status, apart from the certificate's: it is withdrawn with its payment, and superseded by a newer
     * letter.
     */
    status: text({ enum: letterStates }).notNull(),
    issuedAt: time('issued_at').notNull(),
    /** Time of the last status change. */
    statusAt: time('status_at').notNull(),
    /** Code of the corrected letter that replaced this one. */
    replacedBy: text('replaced_by'),
    /** The status that the letter holder was last notified of. */
    notifiedStatus: text('notified_status', { enum: letterStates }).notNull().default('valid'),
    /** The status of which the letter holder has not been notified yet. */
    pendingStatus: text('pending_status', { enum: letterStates }),
    /** How often the letter's public page was opened, and when it was last opened. */
    checks: integer().notNull().default(0),
    lastCheckedAt: time('last_checked_at'),
    /**
     * The letter's position in the status lists, chosen at random when its first credential is issued: `index / 131072` is the
     * number of the list, and the remainder is the bit within it. A random position reveals nothing about other credentials.
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

/** The public part of every key that has ever signed a letter, so that letters can still be verified after a change of keys. */
export const letterKeys = sqliteTable('letter_keys', {
  /** Thumbprint of the key (RFC 7638). */
  kid: text().primaryKey(),
  /** The public key as JWK. */
  jwk: text({ mode: 'json' }).notNull(),
  /**
   * X.509 certificate of the key, DER in base64: issued when the key was first used, and reissued if it does not meet the
   * requirements of PDF readers.
   */
  certificate: text().notNull(),
  createdAt: time('created_at').notNull(),
  /** Set if the key was compromised, after which its signatures are no longer accepted. */
  revokedAt: time('revoked_at'),
})

/** The CAs that issue certificates for letter keys. The current one is the only one that is not retired. */
export const letterAuthorities = sqliteTable('letter_authorities', {
  /** Thumbprint of the CA's key (RFC 7638). */
  kid: text().primaryKey(),
  /** Self-signed X.509 certificate, DER in base64. */
  certificate: text().notNull(),
  /** The private key as JWK, encrypted with a key that is derived from the JWT secrets. */
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
  /** When another CA replaced this one. */
  retiredAt: time('retired_at'),
})
