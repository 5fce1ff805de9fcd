import type { Client } from '@libsql/client'
import { openDatabase } from '../../db/database.ts'
import { quote } from '../../db/quote.ts'
import { auditActivityLog } from '../../logs/audit.ts'

/** Summary of a database's contents, used to compare a copy with its original. */
export interface Contents {
  /** Number of rows by table. */
  tables: Record<string, number>
  /** The newest sealed entry of the activity log, `id:hash`; null if there is none. */
  head: string | null
  /** Problems that were found, one sentence each; empty if everything is correct. */
  faults: string[]
}

/**
 * Returns the names of the tables with data. Internal tables of SQLite, libSQL and Litestream are left out, and so are virtual
 * tables with their internal tables, because those are rebuilt from other tables.
 */
export async function listTables(client: Pick<Client, 'execute'>): Promise<string[]> {
  const { rows } = await client.execute(
    "select name, coalesce(sql like 'create virtual%', 0) as virtual from sqlite_master where type = 'table' order by name",
  )
  const virtualTables = rows.filter(row => row.virtual).map(row => String(row.name))
  return rows
    .map(row => String(row.name))
    .filter(name => !/^(sqlite_|libsql_|_litestream_)/.test(name))
    .filter(name => !virtualTables.some(index => name === index || name.startsWith(`${index}_`)))
}

/**
 * Reads and checks a whole database: its pages, indexes, references and rows. For the portal's own database, also checks that
 * the ledger entries of each payment add up to zero, and that the activity log matches its hash chain.
 */
export async function readContents(client: Client): Promise<Contents> {
  const faults: string[] = []
  const pages = await client.execute('pragma integrity_check')
  for (const row of pages.rows.slice(0, 3)) {
    if (row.integrity_check !== 'ok') faults.push(`The file is damaged: ${row.integrity_check}.`)
  }
  const references = await client.execute('select "table" as name from pragma_foreign_key_check limit 1')
  for (const row of references.rows) faults.push(`A row of ${row.name} refers to a missing row.`)

  const names = await listTables(client)
  const tables: Record<string, number> = {}
  for (const name of names) {
    const { rows } = await client.execute(`select count(*) as rows from ${quote(name)}`)
    tables[name] = Number(rows[0]?.rows)
  }
  if (names.includes('ledger_entries')) faults.push(...(await findUnbalanced(client)))
  let head: string | null = null
  if (names.includes('activity_head')) {
    const log = await auditActivityLog(openDatabase(client, { serialiseWrites: false }))
    head = log.head ? `${log.head.sealedId}:${log.head.hash}` : null
    if (log.broken) faults.push(`Entry ${log.broken.id} of the activity log: ${log.broken.reason}.`)
  }
  return { tables, head, faults }
}

async function findUnbalanced(client: Client): Promise<string[]> {
  const { rows } = await client.execute(
    `select payment_id from ledger_entries group by payment_id, currency having sum(amount_minor) <> 0 limit 1`,
  )
  return rows.map(row => `The entries of payment ${row.payment_id} do not add up to zero.`)
}

/** Returns the differences between the contents of two databases, one sentence each. */
export function findDifferences(expected: Contents, found: Contents): string[] {
  const names = [...new Set([...Object.keys(expected.tables), ...Object.keys(found.tables)])]
  const counts = names
    .filter(name => expected.tables[name] !== found.tables[name])
    .map(
      name =>
        `${name} has ${found.tables[name] ?? 'no'} rows and should have ${expected.tables[name] ?? 'none'}.`,
    )
  return expected.head === found.head ? counts : [...counts, 'The activity log ends with a different entry.']
}
