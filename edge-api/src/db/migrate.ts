import type { Client } from '@libsql/client'
import { ONE_MORE_WRITE } from './counting-client.ts'
import { migrations } from './migrations.ts'

/**
 * Brings the database up to date in one write transaction, so that processes starting at the same time apply each
 * migration once and a failed one leaves nothing behind.
 * @returns the names of the migrations that were applied now
 */
export async function migrate(client: Client): Promise<string[]> {
  const transaction = await client.transaction('write')
  try {
    await transaction.execute(
      'create table if not exists schema_migrations (name text primary key, applied_at integer not null)',
    )
    const done = new Set(
      (await transaction.execute('select name from schema_migrations')).rows.map(row => row.name),
    )
    const applied: string[] = []
    for (const { name, statements } of migrations) {
      if (done.has(name)) continue
      for (const statement of statements) await transaction.execute(statement)
      await transaction.execute({
        sql: 'insert into schema_migrations (name, applied_at) values (?, ?)',
        args: [name, Date.now()],
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
