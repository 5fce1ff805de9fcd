import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { settle } from '../payments/settle.ts'
import { tick } from '../payments/tick.ts'
import { prune } from './retention.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const count = async (table: string) => {
  const { rows } = await bench.database.client.execute(`select count(*) as n from ${table}`)
  return Number(rows[0]?.n)
}

/** One row a table that is past its time by `late` milliseconds, and one that is not. */
async function fill(late: number) {
  const { id } = await bench.newUser()
  const now = bench.ports.time
  const rows = (
    table: string,
    columns: string,
    values: (at: number) => (string | number | null)[],
    age: number,
  ) =>
    [now - age - late, now - age + HOUR].map(at => {
      const args = values(at)
      return { sql: `insert into ${table} (${columns}) values (${args.map(() => '?').join(', ')})`, args }
    })
  await bench.database.client.batch([
    ...rows(
      'mail_tokens',
      'hash, purpose, user_id, created_at, expires_at',
      at => [`hash-${at}`, 'verify_email', id, at - DAY, at],
      7 * DAY,
    ),
    ...rows(
      'sessions',
      'id, user_id, created_at, expires_at',
      at => [`session-${at}`, id, at - HOUR, at],
      DAY,
    ),
    ...rows(
      'outbox',
      'id, kind, attempts, created_at, delivered_at',
      at => [`mail-${at}`, 'mail', 1, at, at],
      30 * DAY,
    ),
    ...rows('rate_limits', '"key", window_start, "count", expires_at', at => [`key-${at}`, at, 1, at], 0),
    ...rows(
      'idempotency_keys',
      'user_id, "key", request_hash, created_at',
      at => [id, `key-${at}`, 'hash', at],
      7 * DAY,
    ),
    {
      sql: 'insert into outbox (id, kind, attempts, created_at) values (?, ?, 0, ?)',
      args: ['waits', 'mail', 1],
    },
  ])
}

const tables = ['mail_tokens', 'sessions', 'rate_limits', 'idempotency_keys']

test('what is past its time goes, the rest stays, and mail that waits is never dropped', async () => {
  await fill(1)
  expect(await prune(bench.database, bench.ports.time)).toBe(5)
  for (const table of tables) expect([table, await count(table)]).toEqual([table, 1])
  expect(await count('outbox')).toBe(2)
})

test('once an hour, and once where two ticks come at the same time', async () => {
  const now = bench.ports.time
  await prune(bench.database, now)
  await fill(1)
  expect(await prune(bench.database, now + HOUR - 1)).toBe(0)
  const gone = await Promise.all([prune(bench.database, now + HOUR), prune(bench.database, now + HOUR)])
  expect(gone.toSorted()).toEqual([0, 5])
})

test('much is deleted in batches, one after the other without waiting an hour', async () => {
  const values = Array.from({ length: 1100 }, (_, at) => `('key-${at}', ${at}, 1, ${at})`)
  await bench.database.client.execute(
    `insert into rate_limits ("key", window_start, "count", expires_at) values ${values.join(', ')}`,
  )
  const turns: number[] = []
  for (let turn = 0; turn < 4; turn++) turns.push(await prune(bench.database, bench.ports.time))
  expect(turns).toEqual([500, 500, 100, 0])
})

test('the tick does it', async () => {
  await fill(1)
  await tick(bench.ports, bench.database)
  expect(await count('sessions')).toBe(1)
  expect(await count('idempotency_keys')).toBe(1)
})

test('a deleted certificate goes after a day, a withdrawn one with letters stays', async () => {
  const { reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded')
  await settle(bench.ports, bench.database, { reference }, 'webhook')
  await bench.newCertificate()
  const { client } = bench.database
  await client.execute(`update certificates set folded = '', withdrawn_at = ${bench.ports.time}`)
  await prune(bench.database, bench.ports.time + DAY)
  expect(await count('certificates')).toBe(2)
  await prune(bench.database, bench.ports.time + DAY + HOUR)
  expect(await count('certificates')).toBe(1)
  await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
})
