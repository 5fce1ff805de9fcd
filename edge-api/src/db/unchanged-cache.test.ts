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
let otherProcess: Client
let computeCount: number

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-unchanged-'))
  const file = path.join(folder, 'some.db')
  const client = openFile(file, { timeout: 50 })
  await client.execute('pragma journal_mode = wal')
  await client.execute('create table things (id integer primary key)')
  database = openDatabase(client, { serialiseWrites: true })
  // This connection acts as another process.
  otherProcess = openFile(file, { timeout: 50 })
  computeCount = 0
})
afterEach(async () => {
  database.close()
  otherProcess.close()
  await rm(folder, { recursive: true, force: true })
})

const countThings = async (name = 'count', db = database.read) =>
  await cacheUntilChanged(db, name, async () => {
    computeCount++
    return (await db.all<{ n: number }>('select count(*) as n from things'))[0]?.n
  })
const insert = () => database.write(tx => tx.run('insert into things default values'))

test('a value is cached only until something changes', async () => {
  expect([await countThings(), await countThings(), computeCount]).toEqual([0, 0, 1])
  for (let round = 1; round <= 5; round++) {
    await insert()
    expect([await countThings(), await countThings()]).toEqual([round * 2 - 1, round * 2 - 1])
    await otherProcess.execute('insert into things default values')
    expect([await countThings(), await countThings()]).toEqual([round * 2, round * 2])
  }
  expect(computeCount).toBe(11)
  // This also holds outside a transaction, on the same connection.
  await database.client.execute('insert into things default values')
  expect(await countThings()).toBe(11)
  await database.client.execute('delete from things')
  expect(await countThings()).toBe(0)
})

test('a cached value contains no uncommitted or rolled-back changes', async () => {
  await countThings()
  const transaction = await database.client.transaction('write')
  await transaction.execute('insert into things default values')
  expect(await countThings()).toBe(0)
  transaction.close()
  expect(await countThings()).toBe(0)
  await expect(
    database.write(async tx => {
      await tx.run('insert into things default values')
      // Nothing is cached within a transaction: it sees its own changes.
      expect(await countThings('count', tx)).toBe(1)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await countThings()).toBe(0)
})

test('a value is stale if the data changes while it is calculated', async () => {
  const slow = await cacheUntilChanged(database.read, 'count', async () => {
    const rows = await database.read.all('select id from things')
    await insert()
    return rows.length
  })
  expect([slow, await countThings()]).toEqual([0, 1])
})

test('values are cached by name, and the oldest are removed beyond the limit', async () => {
  for (let name = 0; name < 101; name++) await countThings(String(name))
  expect(computeCount).toBe(101)
  await countThings('100')
  expect(computeCount).toBe(101)
  await countThings('0')
  expect(computeCount).toBe(102)
})
