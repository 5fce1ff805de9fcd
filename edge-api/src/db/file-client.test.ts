import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient, LibsqlError, type Transaction } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql/web'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ThreadedTransaction } from './background-thread.ts'
import type { CellReader } from './cell-reader.ts'
import { isBusy, isUniqueViolation } from './errors.ts'
import { openFile } from './file-client.ts'

/* Compares our client for file databases with the library's, on the same file. */

let folder: string
let file: string
let ours: Client & CellReader
let library: Client

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-file-'))
  file = path.join(folder, 'some.db')
  ours = openFile(file, { timeout: 50 })
  library = createClient({ url: `file:${file}`, timeout: 50 })
  await ours.execute('pragma journal_mode = wal')
  await ours.executeMultiple(
    'create table one (id integer primary key, name text unique, share real, picture blob); create table two (id integer primary key, one_id integer references one);',
  )
  await ours.batch([
    "insert into one values (1, 'first', 0.5, x'0102ff'), (2, null, -1e300, null)",
    ['insert into two values (?, ?)', [7, 1]],
  ])
})
afterEach(async () => {
  ours.close()
  library.close()
  await rm(folder, { recursive: true, force: true })
})

describe('returns the same as the library', () => {
  test.each([
    ['rows, by name and by position', 'select * from one order by id', []],
    [
      'a join whose columns have one name',
      'select one.id, two.id, name from one join two on one.id = two.one_id',
      [],
    ],
    ['no rows', 'select id from one where name = ?', ['none']],
    ['values by name', 'select :a as a, $b as b', { a: true, b: 'x' }],
    [
      'dates, booleans and bytes',
      'select ? as at, ? as yes, ? as bytes',
      [new Date(5), false, new Uint8Array([9])],
    ],
    ['RETURNING', "insert into one (name) values ('third') on conflict do nothing returning id, name", []],
    ['a change', 'update one set share = 1 where id = ?', [1]],
  ])('%s', async (_, sql, args) => {
    const expected = await library.execute({ sql, args })
    if (/^insert/.test(sql)) await library.execute("delete from one where name = 'third'")
    for (let times = 0; times < 3; times++) {
      const found = await ours.execute({ sql, args })
      expect(found.rows.map(row => ({ ...row }))).toEqual(expected.rows.map(row => ({ ...row })))
      const cells = (rows: typeof found.rows) => rows.map(row => Array.prototype.slice.call(row))
      expect(cells(found.rows)).toEqual(cells(expected.rows))
      expect(found).toMatchObject({ columns: expected.columns, columnTypes: expected.columnTypes })
      expect(found.rowsAffected).toBe(expected.rowsAffected)
      if (/^insert/.test(sql)) await ours.execute("delete from one where name = 'third'")
    }
  })

  test('errors, with their codes', async () => {
    for (const sql of ['select nothing', "insert into one (name) values ('first')", 'select * from absent']) {
      const expected = await library.execute(sql).catch((error: unknown) => error)
      const found = await ours.execute(sql).catch((error: unknown) => error)
      expect(found).toBeInstanceOf(LibsqlError)
      const { code, extendedCode, rawCode, message } = expected as LibsqlError
      expect(found).toMatchObject({ code, extendedCode, rawCode, message })
    }
    const secondResult = await ours
      .execute("insert into one (name) values ('first')")
      .catch((error: unknown) => error)
    expect(isUniqueViolation(secondResult)).toBe(true)
    await expect(ours.execute('select ? as x', [undefined as never])).rejects.toThrow('undefined')
    await ours.execute('insert into two (id) values (9007199254740993)')
    await expect(ours.execute('select id from two order by id desc')).rejects.toThrow(RangeError)
    await expect(ours.batch(['insert into two values (50, 1)', 'select nothing'])).rejects.toMatchObject({
      statementIndex: 1,
    })
    expect((await ours.execute('select * from two where id = 50')).rows).toEqual([])
  })

  test('works with drizzle: JSON and booleans', async () => {
    const kinds = sqliteTable('kinds', {
      id: integer().primaryKey(),
      flag: integer({ mode: 'boolean' }),
      body: text({ mode: 'json' }),
    })
    await ours.execute('create table kinds (id integer primary key, flag integer, body text)')
    const db = drizzle(ours)
    await db.insert(kinds).values([{ id: 1, flag: true, body: { a: [1] } }])
    expect(await db.select().from(kinds)).toEqual([{ id: 1, flag: true, body: { a: [1] } }])
    expect(await db.all('select flag, id from kinds')).toEqual([{ flag: 1, id: 1 }])
  })
})

test('a statement prepared before a change of the table’s columns returns the current ones', async () => {
  const columns = async () => Object.keys((await ours.execute('select * from one limit 1')).rows[0] ?? {})
  expect(await columns()).toHaveLength(4)
  await ours.execute("alter table one add column more text default 'm'")
  expect(await columns()).toEqual(['id', 'name', 'share', 'picture', 'more'])
  await library.execute("alter table one add column again text default 'n'")
  await ours.execute('select name from one')
  expect((await ours.execute('select again from one limit 1')).rows[0]?.again).toBe('n')
  await ours.execute('drop table two')
  await expect(ours.execute('select * from two')).rejects.toThrow('no such table')
})

test('readers see only committed rows, and a transaction left open is rolled back', async () => {
  const count = async () => (await ours.execute('select count(*) as n from two')).rows[0]?.n
  const transaction = await ours.transaction('write')
  await transaction.execute('insert into two values (8, 1)')
  expect((await transaction.execute('select count(*) as n from two')).rows[0]?.n).toBe(2)
  expect(await count()).toBe(1)
  transaction.close()
  expect(transaction.closed).toBe(true)
  await expect(transaction.execute('select 1')).rejects.toThrow('closed')
  const second = await ours.transaction('write')
  await second.execute('insert into two values (8, 1)')
  await second.commit()
  expect(await count()).toBe(2)
})

describe('a long statement on the background thread', () => {
  const beginTransaction = async () => (await ours.transaction('write')) as Transaction & ThreadedTransaction
  const count = async () => (await ours.execute('select count(*) as n from two')).rows[0]?.n
  const insertManySql = `insert into two (id) with recursive n(i) as (select 100 union all select i + 1 from n where i < 300000) select i from n`

  test('does not block readers, which see the rows committed before it', async () => {
    const transaction = await beginTransaction()
    let isDone = false
    const insertDone = transaction.executeOnThread(insertManySql).then(() => {
      isDone = true
    })
    await new Promise(resolve => setTimeout(resolve))
    expect(await count()).toBe(1)
    expect(isDone).toBe(false)
    await insertDone
    expect((await transaction.execute('select max(id) as n from two')).rows[0]?.n).toBe(300_000)
    expect(await count()).toBe(1)
    await transaction.commit()
    expect(await count()).toBe(299_902)
  })

  test('fails with the error codes of the library, which rolls back only the statement and not the transaction', async () => {
    const transaction = await beginTransaction()
    await transaction.executeOnThread('insert into two (id) values (8)')
    const secondResult = await transaction
      .executeOnThread("insert into one (name) values ('another'), ('first')")
      .catch((error: unknown) => error)
    expect(isUniqueViolation(secondResult)).toBe(true)
    await transaction.execute('insert into two (id) values (9)')
    await transaction.commit()
    expect(await count()).toBe(3)
    expect((await ours.execute('select count(*) as n from one')).rows[0]?.n).toBe(2)
  })

  test('is rolled back with its transaction', async () => {
    const transaction = await beginTransaction()
    await transaction.executeOnThread(insertManySql)
    transaction.close()
    expect(await count()).toBe(1)
    await expect(transaction.executeOnThread(insertManySql)).rejects.toThrow('closed')
  })

  // Needs Linux, which lists the threads of a process in /proc. The check runs in a separate process, because in the process
  // that the tests share, the driver may have started earlier.
  test.skipIf(!existsSync('/proc/self/task'))('is the only one of the driver', () => {
    const script = `
      import { readdirSync, readFileSync } from 'node:fs'
      import { openFile } from '${new URL('file-client.ts', import.meta.url)}'
      const transaction = await openFile('${file}', { timeout: 50 }).transaction('write')
      await transaction.executeOnThread('insert into two (id) values (8)')
      transaction.close()
      for (const id of readdirSync('/proc/self/task'))
        process.stdout.write(readFileSync('/proc/self/task/' + id + '/comm', 'utf8'))`
    const env = { ...process.env, TOKIO_WORKER_THREADS: undefined }
    const names = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env })
    expect(names.toString().match(/^tokio/gm)).toHaveLength(1)
  })
})

test('returns only the first row of the current call, and nothing from an earlier one', async () => {
  const byName = 'select id, name from one where name = ?'
  const firstCells = (name: string) => ours.firstCells(byName, [name])
  for (let times = 0; times < 2; times++) {
    expect(ours.cells(byName, ['first'])).toEqual([[1, 'first']])
    expect(firstCells('absent')).toBeUndefined()
    expect(firstCells('first')).toEqual([1, 'first'])
    expect(firstCells('absent')).toBeUndefined()
    expect((await ours.execute(byName, ['absent'])).rows).toEqual([])
  }
  const otherTransaction = await library.transaction('write')
  await expect(ours.execute("update one set name = 'mine' where id = 1")).rejects.toThrow('locked')
  expect(firstCells('absent')).toBeUndefined()
  await otherTransaction.execute("update one set name = 'second' where id = 1")
  await otherTransaction.commit()
  expect(firstCells('first')).toBeUndefined()
  expect(firstCells('second')).toEqual([1, 'second'])
  await ours.execute('insert into two (id) values (9007199254740993)')
  expect(() => ours.firstCells('select id from two where id > ?', [8])).toThrow(RangeError)
  expect(ours.firstCells('select id from two where id > ?', [2 ** 62])).toBeUndefined()
  // This also holds with several rows: an unfinished read would prevent the checkpoint of the write-ahead log.
  expect(ours.firstCells('select id from one where id > ?', [0])).toEqual([1])
  expect((await library.execute('pragma wal_checkpoint(truncate)')).rows[0]?.busy).toBe(0)
})

test('works again after another process locked the file, and after connections were reopened', async () => {
  const insert = () => ours.execute('insert into two (one_id) values (1)')
  await insert()
  const otherTransaction = await library.transaction('write')
  const refused = await insert().catch((error: unknown) => error)
  expect(isBusy(refused)).toBe(true)
  await expect(ours.transaction('write')).rejects.toThrow('locked')
  expect((await ours.execute('select count(*) as n from two')).rows[0]?.n).toBe(2)
  otherTransaction.close()
  await insert()
  const transaction = await ours.transaction('write')
  ours.reconnect()
  await expect(transaction.execute('select 1')).rejects.toThrow('closed')
  transaction.close()
  await insert()
  expect((await ours.execute('select count(*) as n from two')).rows[0]?.n).toBe(4)
  ours.close()
  await expect(ours.execute('select 1')).rejects.toThrow('closed')
})

test('works with more distinct statements than are cached', async () => {
  for (let n = 0; n < 1000; n++) expect((await ours.execute(`select ${n} as n`)).rows[0]?.n).toBe(n)
  expect((await ours.execute('select 0 as n')).rows[0]?.n).toBe(0)
})

test('fails fast if the file cannot be opened', () => {
  expect(() => openFile(path.join(folder, 'absent/some.db'), { timeout: 50 })).toThrow('Unable to open')
})

test('copies the write-ahead log into the database file on request, even during a transaction', async () => {
  const isInFile = () => readFileSync(file).includes('a name to copy')
  await ours.execute("insert into one (name) values ('a name to copy')")
  expect(isInFile()).toBe(false)
  const transaction = await ours.transaction('write')
  await transaction.execute('insert into two (id) values (8)')
  await ours.copyLog()
  expect(isInFile()).toBe(true)
  await transaction.commit()
})

test('copies the write-ahead log into the database file in the background while the callback runs', async () => {
  // This function is synchronous, so that nothing is copied between the write and the first check.
  const isInFile = () => readFileSync(file).includes('a name of the log')
  const copied = await ours.withBackgroundCheckpoints(async () => {
    await ours.execute("insert into one (name) values ('a name of the log')")
    expect(isInFile()).toBe(false)
    while (!isInFile()) await new Promise(resolve => setImmediate(resolve))
    return 'copied'
  })
  expect(copied).toBe('copied')
  await expect(ours.withBackgroundCheckpoints(() => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
})
