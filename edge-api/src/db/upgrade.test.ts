import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCounterDifferences } from '../../test/recount.ts'
import { createTemporaryDatabase } from '../../test/temporary-database.ts'
import { rollUp } from '../jobs/rollup-store.ts'
import { openDatabase } from './database.ts'
import { openFile } from './file-client.ts'
import { migrate } from './migrate.ts'

const DAY = 86_400_000
const RELEASES = path.join(import.meta.dirname, '../../test/upgrades')
const releases = readdirSync(RELEASES).filter(name => name.endsWith('.db.gz'))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-upgrade-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function schemaOf(client: ReturnType<typeof openFile>) {
  const { rows } = await client.execute(
    "select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by name",
  )
  return rows.map(({ name, sql }) => [name, sql])
}

test('the database of at least one release is stored', () => {
  expect(releases).not.toEqual([])
})

/** Adds entries on days that were rolled up before the upgrade, and on new days, which are rolled up later. */
async function addLaterEntries(client: ReturnType<typeof openFile>): Promise<void> {
  const database = openDatabase(client, { serialiseWrites: true })
  const { rows } = await client.execute('select day from counter_rollup')
  const firstNewDay = Date.parse(String(rows[0]?.day))
  expect(firstNewDay).toBeGreaterThan(0)
  for (const day of [-400, -1, 0, 3, 40])
    await client.execute({
      sql: "insert into activity_log (activity, type, status, at) values ('User login', 'authentication', 'success', ?)",
      args: [firstNewDay + day * DAY],
    })
  expect(await findCounterDifferences(client)).toEqual([])
  while (await rollUp(database, firstNewDay + 41 * DAY))
    expect(await findCounterDifferences(client)).toEqual([])
  expect(await findCounterDifferences(client)).toEqual([])
  const months = await client.execute(
    "select sum(total) as n from activity_counters where unit = 'month' and user_id = ''",
  )
  const entries = await client.execute('select count(*) as n from activity_log')
  expect(months.rows[0]?.n).toBe(entries.rows[0]?.n)
}

test.each(releases)('upgrades %s without losing a row, to the schema of a new database', async name => {
  const file = path.join(folder, 'portal.db')
  await writeFile(file, gunzipSync(readFileSync(path.join(RELEASES, name))))
  const client = openFile(file, { timeout: 5000 })
  const listStatuses = async () =>
    (await client.execute('select status from payments order by status')).rows.map(row => row.status)
  const before = await listStatuses()
  await migrate(client)
  expect(await listStatuses()).toEqual(before)
  expect(before).toEqual(['failed', 'paid', 'pending'])
  const newDatabase = await createTemporaryDatabase()
  try {
    expect(await schemaOf(client)).toEqual(await schemaOf(newDatabase.database.client as typeof client))
  } finally {
    await newDatabase.remove()
  }
  expect(await findCounterDifferences(client)).toEqual([])
  await addLaterEntries(client)
  for (const index of ['certificate_search', 'user_search', 'user_word_search', 'activity_search'])
    await client.execute(`insert into ${index} (${index}) values ('integrity-check')`)
  client.close()
})
