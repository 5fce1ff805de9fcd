import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../../test/payment-setup.ts'
import { isSqldAvailable, startSqld } from '../../../test/servers/sqld-server.ts'
import { openDatabase } from '../../db/database.ts'
import { auditActivityLog } from '../../logs/audit.ts'
import { sealActivity } from '../../logs/seal.ts'
import { recordLogEntry } from '../../logs/store.ts'
import { syncWithGateway } from '../../payments/sync.ts'
import { type Manifest, readCopy, takeBackup } from './make-copy.ts'
import { removeOldCopies } from './old-copies.ts'
import { restore } from './restore.ts'
import { backUpIfDue, backupStatusOf, findDueTime } from './schedule.ts'
import { findLastBackup } from './store.ts'

/* Tests backups made with `npm run backup` while the portal writes, and restored with `npm run restore`. */

const tools = path.join(import.meta.dirname, '../../../../tools')
let folder: string
let setup: TestSetup
let source: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-backup-'))
  setup = await openTestSetup()
  const { rows } = await setup.database.client.execute('pragma database_list')
  source = String(rows[0]?.file)
})
afterAll(async () => {
  await setup.close()
  await rm(folder, { recursive: true, force: true })
})

const pathOf = (name: string) => path.join(folder, name)

function runTool(name: string, variables: Record<string, string>, ...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_AUTH_TOKEN: '',
    PAYMENT_DATABASE_URL: `file:${pathOf('none.db')}`,
    ...variables,
  }
  return new Promise<{ code: unknown; out: string }>(resolve => {
    execFile(process.execPath, [path.join(tools, `${name}.mjs`), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, out: stdout + stderr }),
    )
  })
}

/** Verifies and pays for one certificate, which writes rows in a dozen tables in one transaction. */
async function payOnce(): Promise<void> {
  const { transactionId, reference, user } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { transactionId }, 'scheduler')
  await setup.database.write(tx =>
    recordLogEntry(tx, {
      userId: user.id,
      userEmail: user.email,
      activity: 'User login',
      at: setup.ports.time,
    }),
  )
  await sealActivity(setup.database)
}

const countsOf = async () =>
  Object.fromEntries(Object.entries(await setup.readRows()).map(([table, rows]) => [table, rows.length]))

test('a backup made under load and restored elsewhere contains all acknowledged rows, and its counts, ledger and hash chain match', {
  tags: ['QUALITY-46'],
}, async () => {
  for (let count = 0; count < 20; count++) await payOnce()
  const acknowledged = await countsOf()
  let isCopying = true
  let writesDuringBackup = 0
  const load = (async () => {
    for (; isCopying; writesDuringBackup++) await payOnce()
  })()
  const backupFolder = pathOf('under-load')
  const backup = await runTool('backup', { DATABASE_URL: `file:${source}` }, backupFolder)
  isCopying = false
  await load
  expect(backup).toMatchObject({
    code: 0,
    out: expect.stringMatching(/portal-\d{8}T\d{6}Z\.db: .*verified/),
  })
  expect(writesDuringBackup).toBeGreaterThan(0)
  const [name = ''] = (await readdir(backupFolder)).filter(file => file.endsWith('.db'))
  const copy = path.join(backupFolder, name)
  const manifest: Manifest = JSON.parse(await readFile(`${copy}.json`, 'utf8'))

  const target = pathOf('elsewhere/portal.db')
  const restored = await runTool('restore', { DATABASE_URL: `file:${target}` }, copy)
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('restored and verified') })

  const contents = await readCopy(target)
  expect(contents.faults).toEqual([])
  // The restore itself adds one entry to the log.
  const { activity_log: entries = 0, activity_counters: _, ...tables } = manifest.tables
  expect(contents.tables).toMatchObject({ ...tables, activity_log: entries + 1 })
  expect(contents.head).toBe(manifest.head)
  expect(tables.payments).toBeGreaterThanOrEqual(acknowledged.payments ?? Infinity)
  expect(tables.letters).toBeGreaterThanOrEqual(acknowledged.letters ?? Infinity)
  expect(tables.ledger_entries).toBe(
    (tables.letters ?? 0) * ((acknowledged.ledger ?? 0) / (acknowledged.letters ?? 1)),
  )
  const client = createClient({ url: `file:${target}` })
  expect(await auditActivityLog(openDatabase(client, { serialiseWrites: true }))).toMatchObject({
    unaltered: Number(manifest.head?.split(':')[0]),
  })
  expect(
    (await client.execute("select rowid from certificate_search where folded match '018'")).rows.length,
  ).toBe(contents.tables.certificates)
  client.close()

  const backupRows = await setup.database.client.execute('select * from backups')
  expect(backupRows.rows).toMatchObject([
    { kind: 'manual', verified: 1, file: name, bytes: manifest.bytes, error: null },
  ])
})

/** Runs statements in a separate process, because the driver releases a file only when its statements are garbage-collected. */
function runInProcess(file: string, ...statements: string[]): Promise<unknown> {
  const code = `import { createClient } from '@libsql/client'
    const client = createClient({ url: 'file:' + process.argv[1] })
    await client.execute('pragma journal_mode = wal')
    for (const statement of process.argv.slice(2)) await client.execute(statement)`
  const cwd = path.join(import.meta.dirname, '../../..')
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, file, ...statements], {
    cwd,
  })
}

/** Creates two small databases with the same content, and a backup of one of them (`original`). */
async function createDatabaseWithBackup(name: string) {
  const original = pathOf(`${name}-original.db`)
  const file = pathOf(`${name}.db`)
  const statements = [
    'create table transactions (transaction_id text primary key, updated_at integer not null)',
    "insert into transactions values ('first', 1000)",
  ]
  await runInProcess(file, ...statements)
  await runInProcess(original, ...statements)
  const backup = await takeBackup({
    url: `file:${original}`,
    subject: 'payments',
    folder: pathOf(name),
    at: 2000,
  })
  return { file, original, copy: path.join(pathOf(name), backup.file) }
}

const restoreOptions = (copy: string, file: string, force = false) => ({
  file: copy,
  url: `file:${file}`,
  force,
  now: 3000,
})

async function rowsOf(file: string): Promise<unknown[]> {
  const client = createClient({ url: `file:${file}` })
  const { rows } = await client.execute('select transaction_id as id from transactions order by 1')
  client.close()
  return rows.map(row => row.id)
}

test('a database in use is not replaced; one that is newer than the backup is replaced only with --force, and kept as a file', async () => {
  const { file, copy, original } = await createDatabaseWithBackup('newer')
  const client = createClient({ url: `file:${original}` })
  await client.execute('select * from transactions')
  await expect(restore(restoreOptions(copy, original, true))).rejects.toThrow('is in use')
  client.close()
  await runInProcess(file, "insert into transactions values ('second', 2500)")
  const variables = { PAYMENT_DATABASE_URL: `file:${file}` }
  const refused = await runTool('restore', variables, copy)
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('add --force') })
  const forcedRestore = await runTool('restore', variables, copy, '--force')
  expect(forcedRestore.out).toContain('payments: 1 rows')
  const aside = /moved to (.*)\.$/m.exec(forcedRestore.out)?.[1] ?? ''
  expect(await rowsOf(file)).toEqual(['first'])
  expect(await rowsOf(aside)).toEqual(['first', 'second'])
})

test('a person erased since the backup is erased again, but not one who cancelled the erasure', {
  tags: ['DATA-16'],
}, async () => {
  const user = await setup.newUser()
  const userWhoCancelled = await setup.newUser()
  await setup.database.client.execute({
    sql: 'update users set erasure_due_at = 5000 where id = ?',
    args: [userWhoCancelled.id],
  })
  const copy = await takeBackup({
    url: `file:${source}`,
    subject: 'portal',
    folder: pathOf('erased'),
    at: 2000,
  })
  const file = path.join(pathOf('erased'), copy.file)
  const target = pathOf('erased.db')
  await copyFile(file, target)
  await runInProcess(
    target,
    `update users set erased_at = 7000, email = 'nobody' where id = '${user.id}'`,
    `update users set erasure_due_at = null where id = '${userWhoCancelled.id}'`,
  )
  const { erasures } = await restore(restoreOptions(file, target, true))
  expect(erasures).toBe(1)
  const client = createClient({ url: `file:${target}` })
  const { rows } = await client.execute({
    sql: 'select id, email, erasure_due_at as due from users where id in (?, ?)',
    args: [user.id, userWhoCancelled.id],
  })
  client.close()
  expect(new Map(rows.map(({ id, due }) => [id, due]))).toEqual(
    new Map([
      [user.id, 7000],
      [userWhoCancelled.id, null],
    ]),
  )
})

test('a backup that was changed or has no manifest is not restored, but a damaged database is replaced', {
  tags: ['QUALITY-46'],
}, async () => {
  const { file, copy } = await createDatabaseWithBackup('damaged')
  const damagedCopy = pathOf('damaged/bad.db')
  await copyFile(copy, damagedCopy)
  await expect(restore(restoreOptions(damagedCopy, file))).rejects.toThrow('manifest')
  await copyFile(`${copy}.json`, `${damagedCopy}.json`)
  const handle = await open(damagedCopy, 'r+')
  await handle.write(Buffer.from([1, 2, 3, 4]), 0, 4, 5000)
  await handle.close()
  await expect(restore(restoreOptions(damagedCopy, file))).rejects.toThrow('changed')
  await writeFile(file, 'no longer a database, and long enough to differ from an empty one'.repeat(20))
  await restore(restoreOptions(copy, file))
  expect(await rowsOf(file)).toEqual(['first'])
})

test('makes backups when they are due, retries after an hour, and reports their status in health', async () => {
  const { database, close } = await openTestSetup()
  onTestFinished(close)
  const dayMs = 24 * 3_600_000
  const createdAt = (await findDueTime(database, dayMs, Date.now())) - dayMs
  let now = createdAt + dayMs - 1
  const clock = { now: () => now }
  const backup = { file: 'portal.db', bytes: 10, faults: [] }
  let takeCopies: () => Promise<Manifest[]> = async () => [backup as unknown as Manifest]
  const runBackup = () => backUpIfDue(database, { intervalMs: dayMs, take: () => takeCopies() }, clock)
  expect(await runBackup()).toBeUndefined()
  now++
  expect(await runBackup()).toMatchObject({ kind: 'scheduled', verified: true, error: null })
  expect(await runBackup()).toBeUndefined()
  now += dayMs
  takeCopies = async () => {
    throw Object.assign(new Error('/a/path that no one should read'), { code: 'ENOSPC' })
  }
  expect(await runBackup()).toMatchObject({ verified: false, error: 'The disk is full.', file: null })
  now += 3_600_000
  takeCopies = async () => [{ ...backup, faults: ['It is damaged.'] } as unknown as Manifest]
  expect(await runBackup()).toMatchObject({ verified: false, error: 'It is damaged.' })
  const last = await findLastBackup(database.read)
  if (!last) throw new Error('no backup was recorded')
  expect(backupStatusOf(last, dayMs, now)).toBe('error')
  expect(backupStatusOf({ ...last, verified: true }, dayMs, now)).toBe('healthy')
  expect(backupStatusOf({ ...last, verified: true }, dayMs, now + 2 * dayMs + 1)).toBe('warning')
  expect(await backUpIfDue(database, { intervalMs: 0, take: () => takeCopies() }, clock)).toBeUndefined()
})

test('a database without tables is not backed up, because an empty backup would be treated as a valid one', async () => {
  const file = pathOf('empty.db')
  await runInProcess(file, 'create table once (id integer)', 'drop table once')
  const backupOptions = {
    url: `file:${file}`,
    subject: 'portal' as const,
    folder: pathOf('of-empty'),
    at: 1000,
  }
  await expect(takeBackup(backupOptions)).rejects.toThrow('has no tables')
  expect(await readdir(pathOf('of-empty'))).toEqual([])
})

test('old backups are deleted with their manifests, except for the newest valid one of each database', async () => {
  const backupsFolder = pathOf('kept')
  const day = (date: string) => Date.parse(`2026-01-${date}T00:00:00Z`)
  const { file } = await createDatabaseWithBackup('kept')
  for (const date of ['10', '20', '30'])
    await takeBackup({ url: `file:${file}`, subject: 'payments', folder: backupsFolder, at: day(date) })
  await writeFile(path.join(backupsFolder, 'payments-20260105T000000Z.db.part'), '')
  await writeFile(path.join(backupsFolder, 'notes.txt'), '')
  await removeOldCopies(backupsFolder, day('25'))
  const expectedFiles = ['notes.txt', 'payments-20260130T000000Z.db', 'payments-20260130T000000Z.db.json']
  expect((await readdir(backupsFolder)).sort()).toEqual(expectedFiles)
  await removeOldCopies(backupsFolder, day('31'))
  expect((await readdir(backupsFolder)).sort()).toEqual(expectedFiles)
})

test.skipIf(!isSqldAvailable)(
  'a libSQL server is backed up into a file, and an empty server is filled from it',
  async () => {
    const first = await startSqld(pathOf('first-server'))
    const second = await startSqld(pathOf('second-server'))
    try {
      const copy = await takeBackup({
        url: `file:${source}`,
        subject: 'portal',
        folder: pathOf('to-server'),
        at: Date.now(),
      })
      const file = path.join(pathOf('to-server'), copy.file)
      await restore({ file, url: first.url, force: false, now: 3000 })
      await expect(restore({ file, url: first.url, force: true, now: 3000 })).rejects.toThrow('already holds')
      const secondBackup = await takeBackup({
        url: first.url,
        subject: 'portal',
        folder: pathOf('of-server'),
        at: 4000,
      })
      expect(secondBackup.faults).toEqual([])
      const { activity_log: entries = 0, activity_counters: _, ...tables } = copy.tables
      expect(secondBackup).toMatchObject({
        head: copy.head,
        tables: { ...tables, activity_log: entries + 1 },
      })
      await restore({
        file: path.join(pathOf('of-server'), secondBackup.file),
        url: second.url,
        force: false,
        now: 3000,
      })
      const client = createClient({ url: second.url })
      const found = await client.execute("select rowid from certificate_search where folded match '018'")
      expect(found.rows.length).toBe(copy.tables.certificates)
      await client.execute("insert into activity_log (activity, details, at) values ('User login', '', 1)")
      client.close()
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  },
)
