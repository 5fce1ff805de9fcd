import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { auditHistory } from '../history/audit.ts'
import { recordHistory } from '../history/record.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { rowId } from '../uploads/row-keys.ts'
import { prune } from './retention-store.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const count = async (table: string) => {
  const { rows } = await setup.database.client.execute(`select count(*) as n from ${table}`)
  return Number(rows[0]?.n)
}

/** Inserts, in each table, a row that expired `expiredForMs` milliseconds ago and one that has not expired. */
async function insertRows(expiredForMs: number) {
  const { id } = await setup.newUser()
  const now = setup.ports.time
  const expiredAndCurrentRows = (
    table: string,
    columns: string,
    values: (at: number) => (string | number | null)[],
    age: number,
  ) =>
    [now - age - expiredForMs, now - age + HOUR].map(at => {
      const args = values(at)
      return { sql: `insert into ${table} (${columns}) values (${args.map(() => '?').join(', ')})`, args }
    })
  await setup.database.client.batch([
    ...expiredAndCurrentRows(
      'mail_tokens',
      'hash, purpose, user_id, created_at, expires_at',
      at => [`hash-${at}`, 'verify_email', id, at - DAY, at],
      7 * DAY,
    ),
    ...expiredAndCurrentRows(
      'sessions',
      'id, user_id, created_at, expires_at',
      at => [`session-${at}`, id, at - HOUR, at],
      DAY,
    ),
    ...expiredAndCurrentRows(
      'outbox',
      'id, kind, attempts, created_at, delivered_at',
      at => [`mail-${at}`, 'mail', 1, at, at],
      30 * DAY,
    ),
    ...expiredAndCurrentRows(
      'rate_limits',
      '"key", window_start, "count", expires_at',
      at => [`key-${at}`, at - HOUR, 1, at],
      0,
    ),
    ...expiredAndCurrentRows(
      'idempotency_keys',
      'user_id, "key", request_hash, created_at',
      at => [id, `key-${at}`, 'hash', at],
      7 * DAY,
    ),
    {
      sql: 'insert into outbox (id, kind, attempts, created_at, next_attempt_at) values (?, ?, 0, ?, ?)',
      args: ['waits', 'mail', 1, 1],
    },
  ])
}

const tables = ['mail_tokens', 'sessions', 'rate_limits', 'idempotency_keys']

test('deletes expired rows, keeps the others, and never deletes mail that is waiting to be sent', {
  tags: ['OPERATIONS-6'],
}, async () => {
  await insertRows(1)
  expect(await prune(setup.database, setup.ports.time)).toBe(5)
  for (const table of tables) expect([table, await count(table)]).toEqual([table, 1])
  expect(await count('outbox')).toBe(2)
})

test('expired rows are deleted once an hour, even if two runs of the scheduler coincide', async () => {
  const now = setup.ports.time
  await prune(setup.database, now)
  await insertRows(1)
  expect(await prune(setup.database, now + HOUR - 1)).toBe(0)
  const deletedCounts = await Promise.all([
    prune(setup.database, now + HOUR),
    prune(setup.database, now + HOUR),
  ])
  expect(deletedCounts.toSorted()).toEqual([0, 5])
})

test('deletes large amounts in consecutive batches', async () => {
  const values = Array.from({ length: 1100 }, (_, index) => `('key-${index}', ${index}, 1, ${index})`)
  await setup.database.client.execute(
    `insert into rate_limits ("key", window_start, "count", expires_at) values ${values.join(', ')}`,
  )
  const batches: number[] = []
  for (let turn = 0; turn < 4; turn++) batches.push(await prune(setup.database, setup.ports.time))
  expect(batches).toEqual([500, 500, 100, 0])
})

test('the scheduler deletes expired rows', async () => {
  await insertRows(1)
  await runScheduledJobs(setup.ports, setup.database)
  expect(await count('sessions')).toBe(1)
  expect(await count('idempotency_keys')).toBe(1)
})

test('purges a deleted certificate and the values in its history after 90 days, unless it has letters', {
  tags: ['REGISTER-11'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const number = await setup.newCertificate()
  const { client, read } = setup.database
  const found = await client.execute({
    sql: 'select id from certificates where certificate_number = ?',
    args: [number],
  })
  const recordId = String(found.rows[0]?.id)
  await setup.database.write(tx =>
    recordHistory(
      tx,
      { actor: null, source: { kind: 'form' }, reason: 'Twice', at: setup.ports.time },
      [{ kind: 'certificate', recordId, version: 2, action: 'updated', label: 'UG/1', fields: [] }],
      { activity: 'Certificate updated', details: 'UG/1' },
    ),
  )
  await client.execute(`update certificates set withdrawn_at = ${setup.ports.time}, version = 2`)
  await prune(setup.database, setup.ports.time + 89 * DAY)
  expect(await count('certificates')).toBe(2)
  await prune(setup.database, setup.ports.time + 91 * DAY)
  expect(await count('certificates')).toBe(1)
  const { rows } = await client.execute(
    'select action, version, label, reason, salt is null as blank from record_changes order by id',
  )
  expect(rows).toMatchObject([
    { action: 'updated', version: 2, label: 'UG/1', reason: null, blank: 1 },
    { action: 'purged', version: 3, reason: null, blank: 0 },
  ])
  expect(await auditHistory(read)).toMatchObject({ unaltered: 2, blanked: 1 })
  await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
})

test('undeliverable mail is deleted after a month, callbacks after 90 days, and notifications and upload reports after a year', {
  tags: ['OPERATIONS-6'],
}, async () => {
  const { id } = await setup.newUser()
  const now = setup.ports.time
  const { client } = setup.database
  const insert = (table: string, row: Record<string, string | number | null>) => ({
    sql: `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
    args: Object.values(row),
  })
  /** Returns the statements that insert a row twice: an expired one and one that has not expired. */
  const insertTwice = (age: number, row: (at: number, mark: string) => ReturnType<typeof insert>) => [
    row(now - age - 1, 'old'),
    row(now - age + HOUR, 'new'),
  ]
  await client.batch([
    ...insertTwice(30 * DAY, (at, mark) =>
      insert('outbox', { id: mark, kind: 'mail', attempts: 8, created_at: at, next_attempt_at: null }),
    ),
    insert('outbox', { id: 'waits', kind: 'mail', attempts: 1, created_at: 1, next_attempt_at: now }),
    ...insertTwice(365 * DAY, (at, mark) =>
      insert('notifications', {
        id: mark,
        user_id: id,
        kind: 'account',
        title: '-',
        body: '-',
        created_at: at,
      }),
    ),
    ...insertTwice(90 * DAY, (at, mark) =>
      insert('webhook_inbox', {
        provider: 'sandbox',
        event_key: mark,
        raw: '{}',
        verified: 1,
        received_at: at,
        processed_at: at,
      }),
    ),
    ...insertTwice(365 * DAY, (at, mark) =>
      insert('uploads', {
        seq: mark === 'old' ? 1 : 2,
        id: mark,
        uploader_id: id,
        uploader_email: 'staff@users.test',
        filename: 'register.csv',
        dry_run: 0,
        on_conflict: 'fail',
        state: 'done',
        created_at: at,
        untidy: 0,
      }),
    ),
  ])
  for (const seq of [1, 2]) {
    await client.batch([
      insert('upload_reports', { upload_seq: seq, last_id: rowId(seq, 9), rows: '[]' }),
      ...[1, 2].map(index =>
        insert('upload_rows', {
          id: rowId(seq, index),
          line: index,
          certificate_number: 'UG/1',
          student_name: 'Ada',
          course: 'Law',
          graduation_date: '2020-01-01',
          grade: 'Pass',
          department: 'Law',
          error: 'Wrong.',
        }),
      ),
    ])
  }
  expect(await prune(setup.database, now)).toBe(6)
  const listNames = async (sql: string) => (await client.execute(sql)).rows.map(row => row.name)
  expect(await listNames('select id as name from outbox order by 1')).toEqual(['new', 'waits'])
  expect(await listNames('select id as name from notifications')).toEqual(['new'])
  expect(await listNames('select event_key as name from webhook_inbox')).toEqual(['new'])
  expect(await listNames('select id as name from upload_rows')).toEqual([rowId(2, 1), rowId(2, 2)])
  expect(await listNames('select upload_seq as name from upload_reports')).toEqual([2])
  expect(await listNames('select id as name from uploads order by seq')).toEqual(['old', 'new'])
})

test('deletes all upload reports if the last upload is over a year old', async () => {
  const { client } = setup.database
  const now = setup.ports.time
  await client.execute(
    `insert into uploads (seq, id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at, untidy)
     values (7, 'a', 'b', 'c', 'd', 0, 'fail', 'done', ${now - 400 * DAY}, 0)`,
  )
  await client.execute(`insert into upload_reports (upload_seq, last_id, rows) values (7, 1, '[]')`)
  expect(await prune(setup.database, now)).toBe(1)
})
