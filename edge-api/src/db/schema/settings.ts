import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/** One JSON value per key. `settings/rules.ts` defines the keys, their shapes and their defaults. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
  updatedAt: time('updated_at').notNull(),
  updatedBy: text('updated_by'),
})

/** Every change of a setting, with the JSON values before and after it, written in the same transaction as the change. */
export const settingChanges = sqliteTable(
  'setting_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    key: text().notNull(),
    from: text('from_value', { mode: 'json' }).notNull(),
    to: text('to_value', { mode: 'json' }).notNull(),
    at: time('at').notNull(),
    /** The account that made the change; null for changes by the portal itself. */
    userId: text('user_id'),
    userEmail: text('user_email'),
  },
  table => [index('setting_changes_by_key').on(table.key, table.id)],
)

/** Logos, signatures and stamps. They are kept permanently, because letters refer to the images that they were issued with. */
export const images = sqliteTable('images', {
  /** SHA-256 of the bytes, in hex. */
  hash: text().primaryKey(),
  type: text({ enum: ['image/png', 'image/jpeg', 'image/svg+xml'] }).notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: time('created_at').notNull(),
})
