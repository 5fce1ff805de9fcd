import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { sealActivity } from '../logs/seal.ts'
import { recordLogEntry } from '../logs/store.ts'

/* Runs `npm run audit:verify` on a file database, as an operator does. */

const script = path.join(import.meta.dirname, '../../../tools/audit-verify.mjs')
let folder: string
let url: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-audit-'))
  url = `file:${path.join(folder, 'portal.db')}`
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const verify = (...args: string[]) =>
  new Promise<{ code: unknown; out: string }>(resolve => {
    const env = { ...process.env, DATABASE_URL: url }
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, out: stdout + stderr }),
    )
  })

test('reports an intact log as such, and names entries that were altered', {
  tags: ['QUALITY-41'],
}, async () => {
  expect(await verify()).toMatchObject({ code: 2, out: expect.stringContaining('there is no database') })

  const client = createClient({ url })
  await migrate(client)
  const database = openDatabase(client, { serialiseWrites: true })
  await database.write(async tx => {
    for (let index = 1; index <= 5; index++)
      await recordLogEntry(tx, { userId: 'u', userEmail: 'a@b.test', activity: 'User login', at: index })
  })
  await sealActivity(database)
  const whole = await verify()
  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('5 entries sealed') })
  const head = /\d+:[0-9a-f]{64}/.exec(whole.out)?.[0] ?? ''
  expect((await verify(head)).code).toBe(0)
  expect(await verify(head.replace(/.$/, last => (last === '0' ? '1' : '0')))).toMatchObject({
    code: 1,
    out: expect.stringContaining('Entry 5'),
  })
  expect((await verify('nonsense')).code).toBe(2)

  for (const name of ['appends_only', 'stays_sealed'])
    await client.execute(`drop trigger activity_log_${name}`)
  await client.execute("update activity_log set activity = 'User logout' where id = 4")
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringMatching(/Entry 4 .*edited/) })
  await client.execute('delete from activity_log where id = 2')
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringMatching(/Entry 2 .*missing/) })
  client.close()
})
