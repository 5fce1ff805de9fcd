import type { Client, Transaction } from '@libsql/client'
import product from '../../../package.json' with { type: 'json' }
import { isRolledBack } from './errors.ts'
import { migrations } from './migrations.ts'
import { INCREMENT_WRITE_COUNT } from './server-client.ts'

/** Thrown for a database of another version that this version of the portal cannot use; the portal then does not start. */
export class WrongDatabaseVersion extends Error {}

/** Thrown for a database that a newer version of the portal has migrated. */
export class DatabaseTooNew extends WrongDatabaseVersion {
  constructor(version: string, migration: string) {
    super(
      `The database was migrated by version ${version} of the portal (${migration}), and this is version ` +
        `${product.version}. Start that version or a newer one, or restore a backup made before the upgrade`,
    )
    this.name = 'DatabaseTooNew'
  }
}

/** Thrown for a database of a development version, because 1.0.0 replaced all earlier migrations with a single one. */
export class DatabaseTooOld extends WrongDatabaseVersion {
  constructor() {
    super(
      'The database was made by a development version before 1.0.0 and cannot be upgraded. Delete it to start over: ' +
        '`.data/` for a portal on this machine, or the database that DATABASE_URL names',
    )
    this.name = 'DatabaseTooOld'
  }
}

const ROLLED_BACK =
  'the server rolled the migration back, because it took more than 5 s while another process was writing. ' +
  'Stop the other processes, and start this one first'

/** Name of the first migration in every development version. */
const DEVELOPMENT_MIGRATION = '0000_initial'

interface AppliedMigration {
  name: string
  version: string | null
}

/** Returns the migrations applied so far, oldest first, with the version of the portal that applied them. */
async function listApplied(transaction: Transaction): Promise<AppliedMigration[]> {
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
 * Applies all missing migrations in one write transaction, so that each is applied only once even if several processes start at
 * the same time, and a failed one leaves nothing behind.
 * @returns names of the migrations applied by this call
 * @throws DatabaseTooOld if a development version created the database; it is left unchanged
 * @throws DatabaseTooNew if the database has migrations that this version does not know; it is left unchanged
 */
export async function migrate(client: Client): Promise<string[]> {
  const transaction = await client.transaction('write')
  try {
    const appliedMigrations = await listApplied(transaction)
    if (appliedMigrations.some(({ name }) => name === DEVELOPMENT_MIGRATION)) throw new DatabaseTooOld()
    const knownNames = new Set(migrations.map(({ name }) => name))
    const unknown = appliedMigrations.findLast(({ name }) => !knownNames.has(name))
    if (unknown) throw new DatabaseTooNew(unknown.version ?? 'unknown', unknown.name)
    const names = new Set(appliedMigrations.map(({ name }) => name))
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
    // Counts one more write, so that replicas are not read until they have the new schema.
    if (applied.length > 0) await transaction.execute(INCREMENT_WRITE_COUNT)
    await transaction.commit()
    return applied
  } catch (error) {
    if (isRolledBack(error)) throw new Error(ROLLED_BACK, { cause: error })
    throw error
  } finally {
    transaction.close()
  }
}
