import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import { startPortal } from '../../test/servers/portal-server.ts'
import { toSearchText } from '../accounts/text-store.ts'
import { openFile } from './file-client.ts'
import { DatabaseTooNew, DatabaseTooOld, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

let folder: string
let client: ReturnType<typeof openFile>
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-migrate-'))
  client = openFile(path.join(folder, 'portal.db'), { timeout: 5000 })
})
afterEach(async () => {
  client.close()
  await rm(folder, { recursive: true, force: true })
})

const addNewer = (version: string | null) =>
  client.execute({
    sql: 'insert into schema_migrations (name, applied_at, version) values (?, 0, ?)',
    args: ['9999_newer', version],
  })

test('applies each migration once and records the version that applied it', async () => {
  expect(await migrate(client)).toEqual(migrations.map(({ name }) => name))
  expect(await migrate(client)).toEqual([])
  const { rows } = await client.execute('select distinct version from schema_migrations')
  expect(rows.map(({ version }) => version)).toEqual([product.version])
})

test('fills in the folded last name of older accounts', async () => {
  const position = migrations.findIndex(({ name }) => name.endsWith('_sort_names'))
  expect(position).toBeGreaterThan(0)
  for (const { statements } of migrations.slice(0, position))
    for (const statement of statements) await client.execute(statement)
  const people = [
    ['Adé Ọlá', 'Ọ̀ṣúndíran', 'osundiran'],
    ['Ada', 'Ẹ̀bùn Àjàyí', 'ebun ajayi'],
    ['Zoë', 'bello', null],
  ] as const
  for (const [first, last] of people) {
    await client.execute({
      sql: `insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
        values (?, ?, ?, ?, '-', 'user', 1, 1, 1)`,
      args: [first, `${first}@example.org`, first, last],
    })
    await client.execute({
      sql: 'update user_texts set folded = ? where user_id = ?',
      args: [toSearchText({ id: first, email: 'ada@example.org', firstname: first, lastname: last }), first],
    })
  }
  for (const statement of migrations[position]?.statements ?? []) await client.execute(statement)
  const { rows } = await client.execute('select id, lastname, sort_name from users')
  expect(rows.map(row => Object.values(row)).sort()).toEqual(people.toSorted())
})

test('refuses a database with unknown migrations, names the version that applied them, and changes nothing', async () => {
  await migrate(client)
  await client.execute({
    sql: 'delete from schema_migrations where name = ?',
    args: [migrations.at(-1)?.name ?? ''],
  })
  await addNewer('7.3.1')
  await expect(migrate(client)).rejects.toThrow(DatabaseTooNew)
  await expect(migrate(client)).rejects.toThrow('version 7.3.1')
  const { rows } = await client.execute('select count(*) as count from schema_migrations')
  expect(rows[0]?.count).toBe(migrations.length)
})

test('refuses a database of a development version, says how to start over, and changes nothing', async () => {
  await migrate(client)
  await client.execute("update schema_migrations set name = '0000_initial' where name like '0000%'")
  await expect(migrate(client)).rejects.toThrow(DatabaseTooOld)
  await expect(migrate(client)).rejects.toThrow('Delete it to start over')
  const { rows } = await client.execute('select count(*) as count from schema_migrations')
  expect(rows[0]?.count).toBe(migrations.length)
})

test('prevents the portal from starting on a newer database', async () => {
  await migrate(client)
  await addNewer('7.3.1')
  client.close()
  const refused = startPortal({ SEED: 'none', DATABASE_URL: `file:${path.join(folder, 'portal.db')}` })
  await expect(refused).rejects.toThrow('ended before it answered')
})

test('migrations since 0018 only add to the schema, because processes of the previous version use the database during an upgrade', () => {
  const since = migrations.filter(({ name }) => name >= '0018')
  expect(since.length).toBeGreaterThan(0)
  const DESTRUCTIVE_STATEMENT = /\bdrop\s+(?:table|column)\b|\brename\b|\bdelete\s+from\b/i
  // A trigger or an index may be replaced. A new column must have a default for rows inserted without it.
  const COLUMN_WITHOUT_DEFAULT = /\badd(?:\s+column)?\s+(?![^;]*\bdefault\b)[^;]*\bnot\s+null\b/i
  const found = since.flatMap(({ name, statements }) =>
    statements
      .filter(
        item =>
          DESTRUCTIVE_STATEMENT.test(item.replace(/create\s+trigger[\s\S]*/i, '')) ||
          COLUMN_WITHOUT_DEFAULT.test(item),
      )
      .map(item => `${name}: ${item}`),
  )
  expect(found).toEqual([])
})
