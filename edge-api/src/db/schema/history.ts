import { changeActions, changeSources } from '@portal/contract/history'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

export const recordKinds = ['certificate', 'user'] as const

/**
 * The history of certificates and accounts, append-only: triggers allow only adding rows and redacting values. The history of
 * settings is in `setting_changes`. Values that may have to be erased are covered by a salted digest.
 */
export const recordChanges = sqliteTable(
  'record_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: recordKinds }).notNull(),
    recordId: text('record_id').notNull(),
    /** Version of the certificate or account after the change. */
    version: integer().notNull(),
    action: text({ enum: changeActions }).notNull(),
    /** The certificate's number at the time of the change. It is kept when the values are redacted. */
    label: text(),
    at: time('at').notNull(),
    /**
     * The account that made the change; null for changes by the portal itself. The email address is read from the account, even
     * after an erasure.
     */
    actorId: text('actor_id'),
    sourceKind: text('source_kind', { enum: changeSources }).notNull(),
    /** ID of the upload or job that made the change. */
    sourceId: text('source_id'),
    sourceLabel: text('source_label'),
    reason: text(),
    /** `[field, from, to][]` as JSON. Null once redacted, together with the reason and the salt. */
    fields: text(),
    salt: text(),
    /** First 32 hex digits of the SHA-256 over the salt and the columns above. */
    digest: text().notNull(),
    /** The entry in the activity log that contains this digest, or a digest over all digests of a chunk. */
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
