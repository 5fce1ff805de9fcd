import { activityStatuses, activityTypes } from '@portal/format/activity'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/**
 * The activity log: who did what. Append-only, and written in the same transaction as the change. Triggers created by the
 * migration `0001_counters_and_search` reject changes and deletions of sealed (hashed) rows.
 */
export const activityLog = sqliteTable(
  'activity_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: text('user_id'),
    userEmail: text('user_email'),
    activity: text().notNull(),
    /** The result of `classifyActivity`, stored so that filters match the type that the screens show. */
    type: text({ enum: activityTypes }),
    status: text({ enum: activityStatuses }),
    details: text().notNull().default(''),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    at: time('at').notNull(),
    /** The organisation that the entry concerns; not included in the hash chain. */
    organisationId: text('organisation_id'),
    /** Random. Erased together with the personal values, so that the commitment then reveals nothing about them. */
    salt: text(),
    /**
     * SHA-256 of the salt and the personal values (email, details, address). The hash chain contains this instead of the
     * values, so that the values can be erased.
     */
    commitment: text(),
    /** SHA-256 of the previous entry's hash and this entry; null until the scheduler has sealed it. */
    hash: text(),
  },
  table => [
    // Lists of entries count their rows with these indexes. They include the user ID, because it determines who may see an
    // entry.
    index('activity_by_time').on(table.at, table.id, table.userId),
    index('activity_by_type').on(table.type, table.at, table.id, table.userId),
    index('activity_by_user').on(table.userId, table.at, table.id, table.type, table.status),
    index('activity_by_organisation')
      .on(table.organisationId, table.id)
      .where(sql`organisation_id is not null`),
    index('activity_unsealed').on(table.id).where(sql`hash is null`),
  ],
)

/** The newest sealed entry, in a single row, from which a check sees whether entries at the end of the log were removed. */
export const activityHead = sqliteTable('activity_head', {
  id: integer().primaryKey(),
  sealedId: integer('sealed_id').notNull(),
  hash: text().notNull(),
})

/**
 * Number of entries by type and status, for each day, month and year. Rows for months and years include only the days before
 * the day in `counterRollup`. A row with an empty `userId` counts all entries. A row with a user ID counts that user's
 * entries that are hidden from admins (of users who are staff or whose account was deleted). Triggers keep the counts up to
 * date, even when a role changes.
 */
export const activityCounters = sqliteTable(
  'activity_counters',
  {
    unit: text({ enum: ['day', 'month', 'year'] }).notNull(),
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, in UTC. */
    period: text().notNull(),
    userId: text('user_id').notNull(),
    /** Empty for entries from before this column was added. */
    type: text().notNull(),
    status: text().notNull(),
    total: integer().notNull(),
  },
  table => [
    primaryKey({ columns: [table.unit, table.period, table.userId, table.type, table.status] }),
    index('activity_counters_by_user').on(table.userId),
  ],
)
