import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/** One JSON value per key; `settings/rules.ts` has the keys with their shapes and defaults. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
  updatedAt: time('updated_at').notNull(),
  updatedBy: text('updated_by'),
})

/** Every change of a setting, written in the same transaction, with the JSON values before and after it. */
export const settingChanges = sqliteTable(
  'setting_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    key: text().notNull(),
    from: text('from_value', { mode: 'json' }).notNull(),
    to: text('to_value', { mode: 'json' }).notNull(),
    at: time('at').notNull(),
    /** Null for changes by the portal. */
    userId: text('user_id'),
    userEmail: text('user_email'),
  },
  table => [index('setting_changes_by_key').on(table.key, table.id)],
)

/** Logos, signatures and stamps, kept permanently: letters refer to the image that they were issued with. */
export const images = sqliteTable('images', {
  /** SHA-256 of the bytes, in hex. */
  hash: text().primaryKey(),
  type: text({ enum: ['image/png', 'image/jpeg', 'image/svg+xml'] }).notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: time('created_at').notNull(),
})
