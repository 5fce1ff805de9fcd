import { getTableColumns, SQL, type Table } from 'drizzle-orm'

/** Returns the row that an insert of these values creates, including literal defaults, so that callers need not read it. */
export function insertedRow<T extends Table>(table: T, values: T['$inferInsert']): T['$inferSelect'] {
  const provided: Record<string, unknown> = values
  const cells = Object.entries(getTableColumns(table)).map(([name, column]) => {
    if (column.default instanceof SQL) throw new TypeError(`the database computes the default of ${name}`)
    return [name, provided[name] ?? column.default ?? null]
  })
  // The entries are exactly the table's columns.
  return Object.fromEntries(cells) as T['$inferSelect']
}
