import { tmpdir } from 'node:os'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAuthentications, listAuthentications, sumPaymentsByState } from '../../src/reports/store.ts'
import { countTransactions, listTransactions } from '../../src/verification/transactions-store.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../temporary-database.ts'

/** Number of verifications; `REPORT_ROWS` allows a faster run. */
const ROWS = Number(process.env.REPORT_ROWS ?? 1_000_000)
const USER_COUNT = 10_000
const DAY = 86_400_000
const END = Date.UTC(2026, 5, 15)
const START = END - 3 * 365 * DAY

let temporary: TemporaryDatabase
const run = (sql: string) => temporary.database.client.execute(sql)
const selectRows = (rows: number, columns: string) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
   select ${columns.replaceAll('@at', `cast(${START} + i * ${(END - START) / rows} as integer)`)} from n`
/** Of a thousand payments, one is pending and 100 have failed. */
const STATUS = "case when i % 1000 = 7 then 'pending' when i % 10 = 0 then 'failed' else 'paid' end"

beforeAll(async () => {
  // The database is too large to keep in memory.
  temporary = await createTemporaryDatabase(tmpdir())
  await run('pragma synchronous = off')
  await run(`insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
    ${selectRows(USER_COUNT, `'u' || i, 'person' || i || '@example.org', 'First', 'Last', '-', 'user', 1, @at, @at`)}`)
  await run(`insert into payments (id, transaction_id, user_id, provider, provider_reference, mode, amount_minor, currency,
      amount_paid_minor, status, unknown_policy, created_at, updated_at, expires_at)
    ${selectRows(ROWS, `'p' || i, 'CVF' || printf('%021d', i * 7919), 'u' || (i % ${USER_COUNT} + 1), 'demo', 'CV' || printf('%013d', i), 'test', 500000, 'NGN', iif(${STATUS} = 'paid', 500000, null), ${STATUS}, 'free', @at, @at, @at`)}`)
  await run(`insert into payment_items (id, payment_id, user_id, certificate_number, amount_minor, created_at, open,
      result, result_at, tally)
    ${selectRows(
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
async function measureCpuTime<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
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

const allVerifications = { result: undefined, search: '', from: undefined, before: undefined }
const allTransactions = {
  userId: undefined,
  status: undefined,
  search: '',
  from: undefined,
  before: undefined,
}
const { log } = console

async function measure(phase: string) {
  const { read } = temporary.database
  const deepOffset = Math.floor(ROWS * 0.8)
  const measurements = {
    'verifications, first page': await measureCpuTime(() =>
      listAuthentications(read, { ...allVerifications, limit: 20 }),
    ),
    'verifications, far back': await measureCpuTime(() =>
      listAuthentications(read, { ...allVerifications, limit: 20, offset: deepOffset }),
    ),
    'verifications, the few pending': await measureCpuTime(() =>
      listAuthentications(read, {
        ...allVerifications,
        result: 'pending',
        limit: 20,
        offset: Math.floor(ROWS / 1100),
      }),
    ),
    'verifications, counted by result': await measureCpuTime(() =>
      countAuthentications(read, { ...allVerifications, result: 'success' }),
    ),
    'verifications, of one account': await measureCpuTime(() =>
      listAuthentications(read, { ...allVerifications, search: 'person77@', limit: 20 }),
    ),
    'verifications, search by number': await measureCpuTime(() =>
      listAuthentications(read, { ...allVerifications, search: 'ug/2007/', limit: 20 }),
    ),
    'verifications, nearly all': await measureCpuTime(() =>
      listAuthentications(read, { ...allVerifications, search: 'ug', limit: 20 }),
    ),
    'verifications, nearly all counted': await measureCpuTime(() =>
      countAuthentications(read, { ...allVerifications, search: 'ug' }),
    ),
    'verifications, a part of an export': await measureCpuTime(() =>
      listAuthentications(read, {
        ...allVerifications,
        limit: 500,
        below: { at: END - 400 * DAY, id: 'i5' },
      }),
    ),
    'transactions, first page': await measureCpuTime(() =>
      listTransactions(read, { ...allTransactions, limit: 50 }),
    ),
    'transactions, far back': await measureCpuTime(() =>
      listTransactions(read, { ...allTransactions, limit: 50, offset: deepOffset }),
    ),
    'transactions, no match': await measureCpuTime(() =>
      listTransactions(read, { ...allTransactions, status: 'processing', limit: 50 }),
    ),
    'transactions, counted by status': await measureCpuTime(() =>
      countTransactions(read, { ...allTransactions, status: 'pending' }),
    ),
    'totals, 30 days': await measureCpuTime(() =>
      sumPaymentsByState(read, { from: END - 30 * DAY, before: END + DAY }),
    ),
    'totals, all time': await measureCpuTime(() => sumPaymentsByState(read, { from: 0, before: END + DAY })),
  }
  for (const [name, { ms }] of Object.entries(measurements)) log(`${phase} ${name.padEnd(38)} ${ms} ms`)
  expect(measurements['verifications, counted by result'].result).toBeGreaterThan(ROWS * 0.8)
  expect(measurements['transactions, counted by status'].result).toBe(ROWS / 1000)
  expect(measurements['verifications, the few pending'].result.length).toBeGreaterThan(0)
  expect(measurements['verifications, nearly all counted'].result).toBe(Math.min(ROWS, MAX_COUNTED))
  // No screen may cost as much as reading all rows twice, however fast the machine is.
  const { ms: scan } = await measureCpuTime(() =>
    run("select count(*) from payment_items where upper(certificate_number) like '%NONE%'"),
  )
  log(`${phase} ${'reading all rows'.padEnd(38)} ${scan} ms`)
  const slowReads = Object.entries(measurements).filter(([, { ms }]) => ms > 2 * scan)
  expect(slowReads).toEqual([])
}

test('reads every list, count and total in at most twice the CPU time of a full scan', async () => {
  await measure('before analyze')
  await run('analyze')
  await measure('after analyze ')
})
