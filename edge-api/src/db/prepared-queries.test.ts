import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { asc, eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Reader } from './database.ts'
import { openFile } from './file-client.ts'
import { prepareOnce } from './prepared-queries.ts'

const owners = sqliteTable('owners', {
  id: integer().primaryKey(),
  name: text(),
  trusted: integer({ mode: 'boolean' }).notNull(),
  notes: text({ mode: 'json' }),
})
const houses = sqliteTable('houses', {
  id: integer().primaryKey(),
  ownerId: integer('owner_id'),
  address: text().notNull(),
})

let folder: string
let database: Database
/** The same file, opened with the library's own client. */
let library: Database

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-prepared-'))
  const file = path.join(folder, 'some.db')
  const client = openFile(file, { timeout: 50 })
  await client.execute(
    'create table owners (id integer primary key, name text, trusted integer not null, notes text)',
  )
  await client.execute(
    'create table houses (id integer primary key, owner_id integer, address text not null)',
  )
  database = openDatabase(client, { serialiseWrites: true })
  library = openDatabase(createClient({ url: `file:${file}` }), { serialiseWrites: true })
  await database.write(async tx => {
    await tx.insert(owners).values([
      { id: 1, name: 'Ada', trusted: true, notes: { since: [2020] } },
      { id: 2, name: null, trusted: false, notes: null },
    ])
    await tx.insert(houses).values([
      { id: 7, ownerId: 1, address: '1 High Street' },
      { id: 8, ownerId: null, address: '2 High Street' },
      { id: 9, ownerId: 2, address: '3 High Street' },
    ])
  })
})
afterAll(async () => {
  database.close()
  library.close()
  await rm(folder, { recursive: true, force: true })
})

const queries = {
  'a table': (db: Reader) => db.select().from(owners).orderBy(asc(owners.id)),
  'columns by name, one of them computed': (db: Reader) =>
    db
      .select({
        where: houses.address,
        length: sql<number>`length(address)`,
        by: houses.ownerId,
        listed: sql<unknown>`json_array(${houses.id})`.mapWith(owners.notes),
      })
      .from(houses)
      .orderBy(asc(houses.id)),
  'tables and columns side by side, of a join that finds no owner, or one without a name': (db: Reader) =>
    db
      .select({
        house: houses,
        owner: owners,
        name: owners.name,
        short: { id: owners.id, name: owners.name, trusted: owners.trusted },
      })
      .from(houses)
      .leftJoin(owners, eq(owners.id, houses.ownerId))
      .orderBy(asc(houses.id)),
  'a query with a parameter': (db: Reader) =>
    db
      .select()
      .from(owners)
      .where(eq(owners.trusted, sql.placeholder('trusted'))),
}

test.each(Object.entries(queries))(
  '%s, read by position, has the same result as with drizzle',
  async (_, build) => {
    for (const values of [{ trusted: true }, { trusted: false }]) {
      const expected = await build(database.read).prepare().all(values)
      expect(expected).not.toEqual([])
      const prepared = prepareOnce<unknown>(build)
      expect(await prepared(database.read).all(values)).toEqual(expected)
      expect(await prepared(database.read).get(values)).toEqual(expected[0])
      expect(await database.write(tx => prepared(tx).all(values))).toEqual(expected)
      expect(await database.write(tx => prepared(tx).get(values))).toEqual(expected[0])
      // Rows of any other client, such as that of a server, can be read by position too.
      expect(await prepared(library.read).all(values)).toEqual(expected)
      expect(await library.write(tx => prepared(tx).get(values))).toEqual(expected[0])
    }
  },
)

test('the text of a query is built once, and its parameters may change', async () => {
  let buildCount = 0
  const byId = prepareOnce(db => {
    buildCount++
    return db
      .select({ name: owners.name })
      .from(owners)
      .where(eq(owners.id, sql.placeholder('id')))
  })
  expect(await byId(database.read).all({ id: 1 })).toEqual([{ name: 'Ada' }])
  expect(await byId(database.read).all({ id: 2 })).toEqual([{ name: null }])
  expect(await byId(database.read).get({ id: 3 })).toBeUndefined()
  expect(await database.write(tx => byId(tx).get({ id: 1 }))).toEqual({ name: 'Ada' })
  expect(buildCount).toBe(1)
  await expect(byId(database.read).all({})).rejects.toThrow('id')
})
