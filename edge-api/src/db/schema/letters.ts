import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'
import { paymentItems } from './payments.ts'

const standings = ['valid', 'withdrawn', 'superseded'] as const

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
    /** Whose request its words name, as the account was called then: what an erasure takes out of them. */
    holderName: text('holder_name'),
    certificateId: text('certificate_id').notNull(),
    /** The letter's whole content (`VerificationTemplate`) as issued. */
    template: text({ mode: 'json' }).notNull(),
    /** The certificate as the letter tells it (`VerifiedCertificate`): what a later correction is compared with. */
    snapshot: text({ mode: 'json' }),
    /** The letter's own standing: withdrawn with its payment, superseded by a newer letter. */
    status: text({ enum: standings }).notNull(),
    issuedAt: time('issued_at').notNull(),
    /** Time of the last status change. */
    statusAt: time('status_at').notNull(),
    /** Code of the corrected letter that took its place. */
    replacedBy: text('replaced_by'),
    /** The standing that its holder knows of. */
    toldStatus: text('told_status', { enum: standings }).notNull().default('valid'),
    /** The status that its letter holder has yet to be notified of. */
    tellStatus: text('tell_status', { enum: standings }),
    /** How often its public page was asked for, and when last. */
    checks: integer().notNull().default(0),
    lastCheckedAt: time('last_checked_at'),
    /**
     * Its place in the status lists, drawn by lot when its first credential is made: list `index / 131072`, and the bit
     * within it. Who holds a credential learns nothing of its neighbours.
     */
    statusIndex: integer('status_index'),
  },
  table => [
    index('letters_by_certificate').on(table.certificateId),
    uniqueIndex('letters_one_current').on(table.paymentItemId).where(sql`replaced_by is null`),
    index('letters_by_item').on(table.paymentItemId),
    uniqueIndex('letters_status_index').on(table.statusIndex),
    index('letters_untold').on(table.userId).where(sql`tell_status is not null`),
  ],
)

/** The public side of every key that ever signed a letter: letters stay verifiable when keys change. */
export const letterKeys = sqliteTable('letter_keys', {
  /** Thumbprint of the key (RFC 7638). */
  kid: text().primaryKey(),
  /** The public key as JWK. */
  jwk: text({ mode: 'json' }).notNull(),
  /** X.509, DER in base64: issued when the key was first used, and again where it was not as readers need it. */
  certificate: text().notNull(),
  createdAt: time('created_at').notNull(),
  /** Set when the key fell into wrong hands: whatever it signed counts for nothing. */
  revokedAt: time('revoked_at'),
})

/** The CAs that issue certificates for the keys of letters: one that is not retired, which readers trust. */
export const letterAuthorities = sqliteTable('letter_authorities', {
  /** Thumbprint of its key (RFC 7638). */
  kid: text().primaryKey(),
  /** X.509, DER in base64: made by the key itself. */
  certificate: text().notNull(),
  /** The private key as JWK, encrypted with a key derived from the JWT secrets. */
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
  /** Set when another one took its place. */
  retiredAt: time('retired_at'),
})
