import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@libsql/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { openFile } from './file-client.ts'
import { cacheUntilChanged } from './unchanged-cache.ts'

let folder: string
let database: Database
let other: Client
let worked: number

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-unchanged-'))
  const file = path.join(folder, 'some.db')
  const client = openFile(file, { timeout: 50 })
  await client.execute('pragma journal_mode = wal')
  await client.execute('create table things (id integer primary key)')
  database = openDatabase(client, { serialiseWrites: true })
  // This connection acts as another process.
  other = openFile(file, { timeout: 50 })
  worked = 0
})
afterEach(async () => {
  database.close()
  other.close()
  await rm(folder, { recursive: true, force: true })
})

const count = async (name = 'count', db = database.read) =>
  await cacheUntilChanged(db, name, async () => {
    worked++
    return (await db.all<{ n: number }>('select count(*) as n from things'))[0]?.n
  })
const insert = () => database.write(tx => tx.run('insert into things default values'))

test('a value is cached only until something changes', async () => {
  expect([await count(), await count(), worked]).toEqual([0, 0, 1])
  for (let round = 1; round <= 5; round++) {
    await insert()
    expect([await count(), await count()]).toEqual([round * 2 - 1, round * 2 - 1])
    await other.execute('insert into things default values')
    expect([await count(), await count()]).toEqual([round * 2, round * 2])
  }
  expect(worked).toBe(11)
  // This also holds outside a transaction, on the same connection.
  await database.client.execute('insert into things default values')
  expect(await count()).toBe(11)
  await database.client.execute('delete from things')
  expect(await count()).toBe(0)
})

test('a cached value contains no uncommitted or rolled-back changes', async () => {
  await count()
  const transaction = await database.client.transaction('write')
  await transaction.execute('insert into things default values')
  expect(await count()).toBe(0)
  transaction.close()
  expect(await count()).toBe(0)
  await expect(
    database.write(async tx => {
      await tx.run('insert into things default values')
      // Nothing is cached within a transaction: it sees its own changes.
      expect(await count('count', tx)).toBe(1)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await count()).toBe(0)
})

test('a change during its calculation makes a value stale', async () => {
  const slow = await cacheUntilChanged(database.read, 'count', async () => {
    const rows = await database.read.all('select id from things')
    await insert()
    return rows.length
  })
  expect([slow, await count()]).toEqual([0, 1])
})

test('values are cached by name, and the oldest are removed beyond the limit', async () => {
  for (let name = 0; name < 101; name++) await count(String(name))
  expect(worked).toBe(101)
  await count('100')
  expect(worked).toBe(101)
  await count('0')
  expect(worked).toBe(102)
})
