import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recount } from '../../test/recount.ts'
import { temporaryDatabase } from '../../test/temporary-database.ts'
import { openFile } from './file-client.ts'
import { migrate } from './migrate.ts'

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

test('there is a database of at least one release', () => {
  expect(releases).not.toEqual([])
})

test.each(releases)('upgrades %s without losing a row, to the schema of a new database', async name => {
  const file = path.join(folder, 'portal.db')
  await writeFile(file, gunzipSync(readFileSync(path.join(RELEASES, name))))
  const client = openFile(file, { timeout: 5000 })
  const count = async () =>
    (await client.execute('select status from payments order by status')).rows.map(row => row.status)
  const before = await count()
  await migrate(client)
  expect(await count()).toEqual(before)
  expect(before).toEqual(['failed', 'paid', 'pending'])
  const fresh = await temporaryDatabase()
  try {
    expect(await schemaOf(client)).toEqual(await schemaOf(fresh.database.client as typeof client))
  } finally {
    await fresh.remove()
  }
  expect(await recount(client)).toEqual([])
  for (const index of ['certificate_search', 'user_search', 'user_word_search', 'activity_search'])
    await client.execute(`insert into ${index} (${index}) values ('integrity-check')`)
  client.close()
})
