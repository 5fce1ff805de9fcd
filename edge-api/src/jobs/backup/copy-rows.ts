import type { Client, InStatement, InValue, Transaction } from '@libsql/client'
import { quote } from '../../db/quote.ts'
import { listTables } from './contents.ts'

/*
 * Logical copies, for databases that are not a local file. All rows are copied in one read transaction, so that the copy is
 * consistent, and the indexes are created afterwards. The same code fills a server from a copy.
 */

/** Number of rows that are read and written at a time. */
const PAGE_SIZE = 500

/**
 * Copies everything from one database into another that is empty.
 * @throws if `target` already has tables
 */
export async function copyRows(source: Client, target: Client): Promise<void> {
  if ((await listTables(target)).length > 0) throw new Error('The target database is not empty.')
  const readTransaction = await source.transaction('read')
  try {
    const names = await listTables(readTransaction)
    const schema = await readSchema(readTransaction, names)
    // Uses `migrate` because it does not check foreign keys: a table may refer to one that is created or filled later.
    await target.migrate(schema.tables)
    for (const name of names) await copyTable(readTransaction, target, name)
    await copyCounters(readTransaction, target)
    await target.migrate(schema.indexesAndTriggers)
  } finally {
    readTransaction.close()
  }
}

/**
 * Returns the statements that create the tables, and those that create indexes, search tables and triggers after the rows have
 * been copied.
 */
async function readSchema(db: Transaction, names: readonly string[]) {
  const { rows } = await db.execute(
    `select type, name, tbl_name, sql from sqlite_master where sql is not null
     order by case type when 'table' then 0 when 'index' then 1 when 'view' then 2 else 3 end, rowid`,
  )
  const tables: string[] = []
  const indexesAndTriggers: string[] = []
  for (const { type, name, tbl_name, sql } of rows) {
    const statement = String(sql)
    if (type === 'table' && names.includes(String(name))) tables.push(statement)
    else if (type === 'table' && /^create virtual/i.test(statement)) {
      const search = quote(String(name))
      indexesAndTriggers.push(statement, `insert into ${search} (${search}) values ('rebuild')`)
    } else if (type !== 'table' && names.includes(String(tbl_name))) indexesAndTriggers.push(statement)
  }
  return { tables, indexesAndTriggers }
}

/** Returns the key columns of a table: the rowid, or the primary key of a table without rowids. */
async function listKeyColumns(db: Transaction, name: string): Promise<string[]> {
  const { rows } = await db.execute({
    sql: `select name from pragma_table_info(?) where pk > 0
      and exists (select 1 from sqlite_master where name = ? and sql like '%without rowid') order by pk`,
    args: [name, name],
  })
  return rows.length === 0 ? ['rowid'] : rows.map(row => quote(String(row.name)))
}

async function copyTable(source: Transaction, target: Client, name: string): Promise<void> {
  const keys = await listKeyColumns(source, name)
  const key = keys.map((column, index) => `${column} as "key ${index} of the copy"`).join(', ')
  const toTuple = (values: readonly string[]) => `(${values.join(', ')})`
  for (let above: InValue[] | undefined; ; ) {
    const after = above ? `where ${toTuple(keys)} > ${toTuple(keys.map(() => '?'))}` : ''
    const { rows, columns } = await source.execute({
      sql: `select ${key}, * from ${quote(name)} ${after} order by ${keys.join(', ')} limit ${PAGE_SIZE}`,
      args: above ?? [],
    })
    const last = rows.at(-1)
    if (!last) return
    const names = columns.slice(keys.length)
    const sql = `insert into ${quote(name)} ${toTuple(names.map(quote))} values ${toTuple(names.map(() => '?'))}`
    const statements = rows.map(
      (row): InStatement => ({ sql, args: names.map((_, index) => row[keys.length + index] as InValue) }),
    )
    await target.migrate(statements)
    above = keys.map((_, index) => last[index] as InValue)
  }
}

/** Copies the counters of AUTOINCREMENT, so that IDs are not reused. */
async function copyCounters(source: Transaction, target: Client): Promise<void> {
  const sequenceTable = await source.execute("select 1 from sqlite_master where name = 'sqlite_sequence'")
  if (sequenceTable.rows.length === 0) return
  const { rows } = await source.execute('select name, seq from sqlite_sequence')
  await target.migrate([
    'delete from sqlite_sequence',
    ...rows.map(row => ({
      sql: 'insert into sqlite_sequence (name, seq) values (?, ?)',
      args: [row.name as InValue, row.seq as InValue],
    })),
  ])
}
