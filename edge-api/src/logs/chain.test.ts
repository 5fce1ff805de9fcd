import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { auditActivityLog } from './audit.ts'
import { sealActivity } from './seal.ts'
import { erasePersonalValues } from './seal-store.ts'
import { recordLogEntry } from './store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await createTemporaryDatabase()
})
afterEach(() => temporary.remove())

async function writeEntries(count: number, userId: string | null = 'u1') {
  await temporary.database.write(async tx => {
    for (let number = 0; number < count; number++) {
      await recordLogEntry(tx, {
        userId,
        userEmail: 'ada@example.org',
        activity: 'User login',
        details: `number ${number}`,
        ipAddress: '192.0.2.1',
        at: 1000 + number,
      })
    }
  })
}

const execute = (sql: string) => temporary.database.client.execute(sql)
const seal = () => sealActivity(temporary.database)
const check = (checkpoints?: Parameters<typeof auditActivityLog>[1]) =>
  auditActivityLog(temporary.database, checkpoints)

/** Alters the log as an attacker who has the database's password and knows the triggers would. */
async function tamper(...statements: string[]) {
  for (const name of ['appends_only', 'stays_sealed', 'erases_only'])
    await execute(`drop trigger activity_log_${name}`)
  for (const statement of statements) await execute(statement)
}

test('reports an empty log, and one that was sealed step by step, as intact', async () => {
  expect(await check()).toEqual({ unaltered: 0, erased: 0, waiting: 0, head: undefined })
  expect(await seal()).toBe(0)
  await writeEntries(3)
  expect(await check()).toMatchObject({ unaltered: 0, waiting: 3 })
  expect(await seal()).toBe(3)
  await writeEntries(450)
  expect(await Promise.all([seal(), seal(), seal()]).then(counts => counts.reduce((a, b) => a + b))).toBe(450)
  const { head, ...rest } = await check()
  expect(rest).toEqual({ unaltered: 453, erased: 0, waiting: 0 })
  expect(head?.sealedId).toBe(453)
})

test('entries from before there was a chain are classified and added to it', async () => {
  await execute("insert into activity_log (activity, at) values ('Login failed', 5)")
  await seal()
  expect((await execute('select type, status from activity_log')).rows).toMatchObject([
    { type: 'user', status: 'failed' },
  ])
  expect(await check()).toMatchObject({ unaltered: 1 })
})

describe('the database itself refuses', () => {
  beforeEach(async () => {
    await writeEntries(3)
    await seal()
  })

  test.each([
    'delete from activity_log where id = 2',
    "update activity_log set activity = 'x' where id = 2",
    "update activity_log set user_id = 'u2' where id = 2",
    'update activity_log set at = 1 where id = 2',
    'update activity_log set id = 20 where id = 2',
    'update activity_log set hash = null where id = 2',
    "update activity_log set details = 'x' where id = 2",
    "update activity_log set user_email = 'x' where id = 2",
    'update activity_log set user_email = null where id = 2',
  ])('%s', { tags: ['QUALITY-41'] }, async statement => {
    await expect(execute(statement)).rejects.toThrow(/activity log|sealed/)
    expect(await check()).toMatchObject({ unaltered: 3 })
  })
})

describe('the audit reports the first entry that was', () => {
  const cases: [what: string, id: number, reason: RegExp, statements: string[]][] = [
    ['edited', 4, /edited/, ["update activity_log set activity = 'User logout' where id in (4, 6)"]],
    ['assigned to another account', 4, /edited/, ["update activity_log set user_id = 'u2' where id = 4"]],
    ['given another type', 4, /edited/, ["update activity_log set type = 'other' where id = 4"]],
    ['edited in its email', 4, /email/, ["update activity_log set user_email = 'x' where id = 4"]],
    ['edited in its details', 4, /details/, ["update activity_log set details = 'x' where id = 4"]],
    ['half erased', 4, /details/, ['update activity_log set salt = null where id = 4']],
    ['deleted', 4, /missing/, ['delete from activity_log where id in (4, 7)']],
    ['deleted at the end', 10, /missing/, ['delete from activity_log where id = 10']],
    ['deleted at the start', 1, /missing/, ['delete from activity_log where id = 1']],
    [
      'moved',
      4,
      /moved/,
      [
        'update activity_log set id = 99 where id = 4',
        'update activity_log set id = 4 where id = 5',
        'update activity_log set id = 5 where id = 99',
      ],
    ],
    [
      'replaced by one with the same number',
      4,
      /edited/,
      [
        'delete from activity_log where id = 4',
        "insert into activity_log (id, activity, at, hash, commitment) values (4, 'x', 1, 'a', 'b')",
      ],
    ],
    ['stripped of its seal', 4, /seal/, ['update activity_log set hash = null where id = 4']],
    ['no longer recorded as the newest', 1, /newest/, ['delete from activity_head']],
  ]

  test.each(cases)('%s', { tags: ['QUALITY-41'] }, async (_, id, reason, statements) => {
    await writeEntries(10)
    await seal()
    await tamper(...statements)
    const { broken } = await check()
    expect(broken).toEqual({ id, reason: expect.stringMatching(reason) })
  })

  test('part of a rewritten chain, if the head of the original was stored elsewhere', async () => {
    await writeEntries(5)
    await seal()
    const { head } = await check()
    await writeEntries(1)
    await seal()
    await tamper("update activity_log set details = 'other', hash = null", 'delete from activity_head')
    await seal()
    expect(await check()).toMatchObject({ unaltered: 6 })
    expect((await check(head)).broken).toEqual({ id: 5, reason: expect.stringMatching(/recorded/) })
  })
})

test('erasing an account’s data in the log keeps the chain intact and leaves nothing from which the data can be guessed', async () => {
  await writeEntries(3, 'u1')
  await writeEntries(2, 'u2')
  await seal()
  await temporary.database.write(tx => erasePersonalValues(tx, { userId: 'u1' }))
  const { rows } = await execute(
    "select user_email, details, ip_address, salt from activity_log where user_id = 'u1'",
  )
  for (const row of rows)
    expect({ ...row }).toMatchObject({ user_email: null, details: '', ip_address: null, salt: null })
  await writeEntries(1, 'u1')
  await seal()
  expect(await check()).toMatchObject({ unaltered: 6, erased: 3 })
})

test('input cannot start another log entry, because line breaks and terminal sequences are escaped', {
  tags: ['QUALITY-40'],
}, async () => {
  await temporary.database.write(tx =>
    recordLogEntry(tx, {
      userId: null,
      userEmail: 'a\r\nb@example.org',
      activity: 'Profile updated',
      details: 'one\r\ntwo\u001b[31mred\u202e',
      at: 1,
    }),
  )
  const { rows } = await execute('select user_email, details from activity_log')
  expect(rows).toMatchObject([
    { user_email: 'a\\r\\nb@example.org', details: 'one\\r\\ntwo\\u001b[31mred\\u202e' },
  ])
})
