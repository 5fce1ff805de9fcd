import { failureStages } from '@portal/contract/front-ends'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from './columns.ts'

/** The last valid `remotes.json`, in a single row, which is served while the file is invalid. */
export const storedPointers = sqliteTable('stored_pointers', {
  id: integer().primaryKey(),
  content: text().notNull(),
  at: time('at').notNull(),
})

/** Number of failures of micro-frontends that browsers reported, by UTC day, without any data about the browsers. */
export const frontEndReports = sqliteTable(
  'front_end_reports',
  {
    /** `YYYY-MM-DD`. */
    day: text().notNull(),
    /**
     * The micro-frontend's name. Once a day has the maximum number of different failures, further ones are counted together,
     * with an empty name and release.
     */
    remote: text().notNull(),
    /** The failing release; empty if the browser did not know it. */
    release: text().notNull(),
    stage: text({ enum: failureStages }).notNull(),
    total: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.day, table.remote, table.release, table.stage] })],
)
