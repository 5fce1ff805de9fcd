import type { Client, Transaction } from '@libsql/client'
import product from '../../../package.json' with { type: 'json' }
import { ONE_MORE_WRITE } from './counting-client.ts'
import { migrations } from './migrations.ts'

/** A database that a newer version has migrated: this one would misread it, so it must not start. */
export class DatabaseTooNew extends Error {
  constructor(version: string, migration: string) {
    super(
      `The database was migrated by version ${version} of the portal (${migration}), and this is version ` +
        `${product.version}. Start that version or a newer one, or restore a backup made before the upgrade`,
    )
    this.name = 'DatabaseTooNew'
  }
}

interface Applied {
  name: string
  version: string | null
}

/** What was applied so far, oldest first, with the version of the portal that did it. */
async function listApplied(transaction: Transaction): Promise<Applied[]> {
  await transaction.execute(
    'create table if not exists schema_migrations (name text primary key, applied_at integer not null, version text)',
  )
  const columns = await transaction.execute("select name from pragma_table_info('schema_migrations')")
  if (!columns.rows.some(column => column.name === 'version'))
    await transaction.execute('alter table schema_migrations add column version text')
  const { rows } = await transaction.execute('select name, version from schema_migrations order by name')
  return rows.map(({ name, version }) => ({
    name: String(name),
    version: version === null ? null : String(version),
  }))
}

/**
 * Brings the database up to date in one write transaction, so that processes starting at the same time apply each
 * migration once and a failed one leaves nothing behind.
 * @returns the names of the migrations that were applied now
 * @throws DatabaseTooNew when the database has migrations that this version doesn't know; it is left unchanged
 */
export async function migrate(client: Client): Promise<string[]> {
  const transaction = await client.transaction('write')
  try {
    const done = await listApplied(transaction)
    const known = new Set(migrations.map(({ name }) => name))
    const unknown = done.findLast(({ name }) => !known.has(name))
    if (unknown) throw new DatabaseTooNew(unknown.version ?? 'unknown', unknown.name)
    const names = new Set(done.map(({ name }) => name))
    const applied: string[] = []
    for (const { name, statements } of migrations) {
      if (names.has(name)) continue
      for (const statement of statements) await transaction.execute(statement)
      await transaction.execute({
        sql: 'insert into schema_migrations (name, applied_at, version) values (?, ?, ?)',
        args: [name, Date.now(), product.version],
      })
      applied.push(name)
    }
    // A replica that has not followed yet is not read from.
    if (applied.length > 0) await transaction.execute(ONE_MORE_WRITE)
    await transaction.commit()
    return applied
  } finally {
    transaction.close()
  }
}
