import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client/web'
import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isSqldAvailable, type RunningSqld, startSqld } from '../../test/servers/sqld-server.ts'
import { type Database, openDatabase } from './database.ts'
import {
  declareNotReadFromReplicas,
  executeLast,
  writeDeferred,
  writeDeferredOne,
} from './deferred-writes.ts'
import { isUniqueViolation } from './errors.ts'
import { pooledStreams } from './stream-pool.ts'

/* Tests statements that are sent together, on a real libSQL server over HTTP and over a web socket. */

const things = sqliteTable('things', { id: integer().primaryKey(), name: text().notNull() })

let folder: string
let server: RunningSqld
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-server-client-'))
  if (isSqldAvailable) server = await startSqld(folder)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!isSqldAvailable).each([
  ['http', 'http'],
  ['http, with pooled streams', 'http'],
  ['ws', 'ws'],
])('a database server over %s', (name, scheme) => {
  let client: Client
  let database: Database
  let requests: number
  beforeEach(async () => {
    requests = 0
    const countingFetch: typeof fetch = (input, init) => {
      requests++
      return fetch(input, init)
    }
    client = createClient({
      url: server.url.replace('http', scheme),
      fetch: name.includes('pooled') ? pooledStreams(countingFetch) : countingFetch,
    })
    await client.batch(
      [
        'drop table if exists things',
        'create table things (id integer primary key, name text not null unique)',
        'create table if not exists write_counter (writes integer not null)',
        'delete from write_counter',
        'insert into write_counter values (0)',
      ],
      'write',
    )
    database = openDatabase(client, { serialiseWrites: false })
    requests = 0
    return () => client.close()
  })
  const listNames = async () => (await database.read.select().from(things)).map(({ name }) => name)
  const countWrites = async () => (await client.execute('select writes from write_counter')).rows[0]?.writes

  const insert = (name: string) => database.read.insert(things).values({ name })
  const rename = (from: string, to: string) =>
    database.read.update(things).set({ name: to }).where(sql`name = ${from}`)

  test('sends deferred writes in order, before the queries that read them', async () => {
    const found = await database.write(async tx => {
      await writeDeferred(tx, insert('a'))
      await writeDeferred(tx, rename('a', 'b'))
      const before = await tx.select().from(things)
      await writeDeferred(tx, insert('c'))
      return before
    })
    expect(found).toMatchObject([{ name: 'b' }])
    expect(await listNames()).toEqual(['b', 'c'])
    expect(await countWrites()).toBe(1)
  })

  test('sends the write transactions of a process one at a time, and continues after a failure', async () => {
    let openCount = 0
    const openCounts: number[] = []
    const names = Array.from({ length: 8 }, (_, index) => `at once ${index}`)
    const written = await Promise.allSettled(
      names.map((name, index) =>
        database.write(async tx => {
          openCount++
          openCounts.push(openCount)
          try {
            await tx.select().from(things)
            if (index === 3) throw new RangeError('no')
            await tx.insert(things).values({ name })
          } finally {
            openCount--
          }
        }),
      ),
    )
    expect(written.map(({ status }) => status === 'fulfilled')).toEqual(names.map((_, index) => index !== 3))
    expect(openCounts).toEqual(names.map(() => 1))
    expect(await countWrites()).toBe(7)
  })

  test('does not count a transaction whose changes are never read from a replica', async () => {
    await database.write(async tx => {
      declareNotReadFromReplicas(tx)
      await writeDeferred(tx, insert('hit'))
    })
    expect(await listNames()).toEqual(['hit'])
    expect(await countWrites()).toBe(0)
    await database.write(tx => writeDeferred(tx, insert('seen')))
    expect(await countWrites()).toBe(1)
  })

  test('rolls back everything if a deferred write fails with the commit', async () => {
    const work = database.write(async tx => {
      await tx.insert(things).values({ name: 'first' })
      await writeDeferred(tx, insert('twice'))
      await writeDeferred(tx, insert('twice'))
      await writeDeferred(tx, insert('last'))
    })
    expect(await work.catch(isUniqueViolation)).toBe(true)
    expect(await listNames()).toEqual([])
    expect(await countWrites()).toBe(0)
    await database.write(tx => writeDeferred(tx, insert('afterwards')))
    expect(await listNames()).toEqual(['afterwards'])
  })

  test('rolls back everything if a deferred write fails with the next statement', async () => {
    const work = database.write(async tx => {
      await writeDeferred(tx, insert('twice'))
      await writeDeferred(tx, insert('twice'))
      await tx.select().from(things)
    })
    expect(await work.catch(isUniqueViolation)).toBe(true)
    expect(await listNames()).toEqual([])
  })

  test('fails a write that must change one row, with the write’s own error, if it changes none', async () => {
    class Conflict extends Error {}
    const renameFrom = (name: string, isLast: boolean) =>
      database.write(async tx => {
        await tx.insert(things).values({ name: 'new' })
        await writeDeferredOne(tx, rename(name, 'renamed'), () => new Conflict())
        if (!isLast) await tx.select().from(things)
      })
    await expect(renameFrom('none', true)).rejects.toBeInstanceOf(Conflict)
    await expect(renameFrom('none', false)).rejects.toBeInstanceOf(Conflict)
    expect(await listNames()).toEqual([])
    await renameFrom('new', true)
    expect(await listNames()).toEqual(['renamed'])
  })

  test('commits with the last query, unless it fails', async () => {
    const write = (query: string) =>
      database.write(async tx => {
        await writeDeferred(tx, insert('one'))
        return await executeLast(tx, () => tx.all(sql.raw(query)))
      })
    await expect(write('select * from nowhere')).rejects.toThrow()
    expect(await listNames()).toEqual([])
    expect(await write('select name from things')).toEqual([{ name: 'one' }])
    expect(await listNames()).toEqual(['one'])
    expect(await countWrites()).toBe(1)
  })

  test('rolls back work that throws, with and without statements before it', async () => {
    const thrown = database.write(async tx => {
      await tx.insert(things).values({ name: 'gone' })
      throw new RangeError('no')
    })
    await expect(thrown).rejects.toBeInstanceOf(RangeError)
    expect(await database.write(async () => 'nothing done')).toBe('nothing done')
    expect(await listNames()).toEqual([])
  })

  test('handles simultaneous reads, each of which can fail independently', async () => {
    await database.write(tx => writeDeferred(tx, insert('one')))
    const [found, failed, counted] = await Promise.allSettled([
      listNames(),
      database.read.all(sql`select * from nowhere`),
      database.read.all(sql`select count(*) as n from things`),
    ])
    expect(found).toMatchObject({ value: ['one'] })
    expect(failed).toMatchObject({ status: 'rejected' })
    expect(counted).toMatchObject({ value: [{ n: 1 }] })
  })

  test.runIf(scheme === 'http')('sends simultaneous statements in one request', async () => {
    await listNames()
    requests = 0
    await Promise.all([listNames(), listNames(), database.read.all(sql`select 1`)])
    expect(requests).toBe(1)
    await database.write(tx => executeLast(tx, () => tx.insert(things).values({ name: 'one' }).returning()))
    expect(requests).toBe(2)
    await database.write(async tx => {
      await Promise.all([tx.select().from(things), tx.select().from(things)])
      await writeDeferred(tx, insert('two'))
      await writeDeferredOne(tx, rename('two', 'three'), () => new Error('none'))
    })
    expect(requests).toBe(4)
  })
})
