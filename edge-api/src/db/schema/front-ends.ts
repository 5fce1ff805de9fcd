import { failureStages } from '@portal/contract/front-ends'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/** The last valid `remotes.json`, in one row: served while the file is damaged. */
export const storedPointers = sqliteTable('stored_pointers', {
  id: integer().primaryKey(),
  content: text().notNull(),
  at: time('at').notNull(),
})

/** Failures of micro-frontends that browsers reported, for each UTC day, without any data about the browsers. */
export const frontEndReports = sqliteTable(
  'front_end_reports',
  {
    /** `YYYY-MM-DD`. */
    day: text().notNull(),
    /**
     * The micro-frontend's name. Name and release are empty for failures that exceed the day's limit of different
     * kinds.
     */
    remote: text().notNull(),
    /** Empty if the browser did not know it. */
    release: text().notNull(),
    stage: text({ enum: failureStages }).notNull(),
    total: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.day, table.remote, table.release, table.stage] })],
)
