import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/** One JSON value a key; `settings/rules.ts` names the keys with their shapes and defaults. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
  updatedAt: time('updated_at').notNull(),
  updatedBy: text('updated_by'),
})
