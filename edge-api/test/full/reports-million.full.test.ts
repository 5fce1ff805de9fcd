import { tmpdir } from 'node:os'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAuthentications, listAuthentications, sumPaymentsByState } from '../../src/reports/store.ts'
import { countTransactions, listTransactions } from '../../src/verification/transactions-store.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../temporary-database.ts'

/** Number of verifications; `REPORT_ROWS` allows a faster run. */
const ROWS = Number(process.env.REPORT_ROWS ?? 1_000_000)
const USER_COUNT = 10_000
const DAY = 86_400_000
const END = Date.UTC(2026, 5, 15)
const START = END - 3 * 365 * DAY

let temporary: TemporaryDatabase
const run = (sql: string) => temporary.database.client.execute(sql)
const numbers = (rows: number, columns: string) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
   select ${columns.replaceAll('@at', `cast(${START} + i * ${(END - START) / rows} as integer)`)} from n`
/** Of a thousand payments, one is pending and 100 have failed. */
const STATUS = "case when i % 1000 = 7 then 'pending' when i % 10 = 0 then 'failed' else 'paid' end"

beforeAll(async () => {
  // The database is too large to keep in memory.
  temporary = await temporaryDatabase(tmpdir())
  await run('pragma synchronous = off')
  await run(`insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
    ${numbers(USER_COUNT, `'u' || i, 'person' || i || '@example.org', 'First', 'Last', '-', 'user', 1, @at, @at`)}`)
  await run(`insert into payments (id, transaction_id, user_id, provider, provider_reference, mode, amount_minor, currency,
      amount_paid_minor, status, unknown_policy, created_at, updated_at, expires_at)
    ${numbers(ROWS, `'p' || i, 'CVF' || printf('%021d', i * 7919), 'u' || (i % ${USER_COUNT} + 1), 'demo', 'CV' || printf('%013d', i), 'test', 500000, 'NGN', iif(${STATUS} = 'paid', 500000, null), ${STATUS}, 'free', @at, @at, @at`)}`)
  await run(`insert into payment_items (id, payment_id, user_id, certificate_number, amount_minor, created_at, open,
      result, result_at, tally)
    ${numbers(
      ROWS,
      `'i' || i, 'p' || i, 'u' || (i % ${USER_COUNT} + 1), 'UG/' || (2000 + i % 25) || '/' || i, 500000, @at, 0,
      case ${STATUS} when 'pending' then 'pending' when 'failed' then 'failed' else iif(i % 20, 'success', 'failed') end,
      @at + iif(${STATUS} = 'paid', 60000, 0), case ${STATUS} when 'paid' then iif(i % 20, 'found', 'not_found') else 'none' end`,
    )}`)
  await run(`insert into fulfilments (payment_item_id, payment_id, user_id, certificate_number, outcome, at)
    select item.id, payment_id, item.user_id, certificate_number, iif(item.rowid % 20, 'verified', 'not_found'), item.created_at + 60000
    from payment_items item join payments on payments.id = payment_id where payments.status = 'paid'`)
})
afterAll(() => temporary?.remove())

/** Returns the median CPU time of three runs in milliseconds, which excludes other load on the machine, and the result. */
async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let result = await work()
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    result = await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return { ms: Math.round(times.sort((a, b) => a - b)[1] ?? 0), result }
}

const all = { result: undefined, search: '', from: undefined, before: undefined }
const every = { userId: undefined, status: undefined, search: '', from: undefined, before: undefined }
const { log } = console

async function measure(when: string) {
  const { read } = temporary.database
  const deep = Math.floor(ROWS * 0.8)
  const figures = {
    'verifications, first page': await timed(() => listAuthentications(read, { ...all, limit: 20 })),
    'verifications, far back': await timed(() =>
      listAuthentications(read, { ...all, limit: 20, offset: deep }),
    ),
    'verifications, the few pending': await timed(() =>
      listAuthentications(read, { ...all, result: 'pending', limit: 20, offset: Math.floor(ROWS / 1100) }),
    ),
    'verifications, counted by result': await timed(() =>
      countAuthentications(read, { ...all, result: 'success' }),
    ),
    'verifications, of one account': await timed(() =>
      listAuthentications(read, { ...all, search: 'person77@', limit: 20 }),
    ),
    'verifications, a number': await timed(() =>
      listAuthentications(read, { ...all, search: 'ug/2007/', limit: 20 }),
    ),
    'verifications, nearly all': await timed(() =>
      listAuthentications(read, { ...all, search: 'ug', limit: 20 }),
    ),
    'verifications, nearly all counted': await timed(() =>
      countAuthentications(read, { ...all, search: 'ug' }),
    ),
    'verifications, a part of an export': await timed(() =>
      listAuthentications(read, { ...all, limit: 500, below: { at: END - 400 * DAY, id: 'i5' } }),
    ),
    'transactions, first page': await timed(() => listTransactions(read, { ...every, limit: 50 })),
    'transactions, far back': await timed(() =>
      listTransactions(read, { ...every, limit: 50, offset: deep }),
    ),
    'transactions, none of a kind': await timed(() =>
      listTransactions(read, { ...every, status: 'processing', limit: 50 }),
    ),
    'transactions, counted by status': await timed(() =>
      countTransactions(read, { ...every, status: 'pending' }),
    ),
    'totals, 30 days': await timed(() =>
      sumPaymentsByState(read, { from: END - 30 * DAY, before: END + DAY }),
    ),
    'totals, all time': await timed(() => sumPaymentsByState(read, { from: 0, before: END + DAY })),
  }
  for (const [what, { ms }] of Object.entries(figures)) log(`${when} ${what.padEnd(38)} ${ms} ms`)
  expect(figures['verifications, counted by result'].result).toBeGreaterThan(ROWS * 0.8)
  expect(figures['transactions, counted by status'].result).toBe(ROWS / 1000)
  expect(figures['verifications, the few pending'].result.length).toBeGreaterThan(0)
  expect(figures['verifications, nearly all counted'].result).toBe(Math.min(ROWS, MAX_COUNTED))
  // No screen may cost as much as reading all rows twice, however fast the machine is.
  const { ms: scan } = await timed(() =>
    run("select count(*) from payment_items where upper(certificate_number) like '%NONE%'"),
  )
  log(`${when} ${'reading all rows'.padEnd(38)} ${scan} ms`)
  const slow = Object.entries(figures).filter(([, { ms }]) => ms > 2 * scan)
  expect(slow).toEqual([])
}

test('lists, counts and totals of all verifications are read without delay', async () => {
  await measure('as it grew  ')
  await run('analyze')
  await measure('with figures')
})
