import { changeActions, changeSources } from '@portal/contract/history'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

export const recordKinds = ['certificate', 'user'] as const

/**
 * The history of certificates and accounts, append-only: triggers of the migration only allow appending and
 * blanking. The history of settings is `setting_changes`. Values that may have to be erased are covered by a
 * salted digest.
 */
export const recordChanges = sqliteTable(
  'record_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: recordKinds }).notNull(),
    recordId: text('record_id').notNull(),
    /** The record's version after the change. */
    version: integer().notNull(),
    action: text({ enum: changeActions }).notNull(),
    /** The certificate's number at that time; it stays when the values are blanked. */
    label: text(),
    at: time('at').notNull(),
    /** Null for changes by the portal. The account has the email address, also after erasure. */
    actorId: text('actor_id'),
    sourceKind: text('source_kind', { enum: changeSources }).notNull(),
    /** The upload or job. */
    sourceId: text('source_id'),
    sourceLabel: text('source_label'),
    reason: text(),
    /** `[field, from, to][]` as JSON; null once blanked, with the reason and the salt. */
    fields: text(),
    salt: text(),
    /** 32 hex digits of the SHA-256 over the salt and everything above. */
    digest: text().notNull(),
    /** The entry of the activity log that has the digest, or a digest over those of the whole chunk. */
    logId: integer('log_id').notNull(),
  },
  table => [
    uniqueIndex('record_changes_of_record').on(table.kind, table.recordId, table.version),
    index('record_changes_by_log').on(table.logId),
    index('record_changes_by_source').on(table.sourceId, table.id),
    index('record_changes_by_actor').on(table.actorId, table.id),
    index('record_changes_by_label').on(table.label, table.id),
  ],
)
