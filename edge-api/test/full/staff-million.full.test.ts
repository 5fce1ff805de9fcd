import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsers } from '../../src/accounts/list-store.ts'
import { periodBefore } from '../../src/analytics/period.ts'
import { readIntervals, readRanked, readTotals } from '../../src/analytics/store.ts'
import { buildStatistics } from '../../src/logs/rules.ts'
import { countLogs, listLogs } from '../../src/logs/store.ts'
import { findPayments } from '../../src/search/store.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../temporary-database.ts'

/** Number of rows in each table; `STAFF_ROWS` allows a faster run. */
const ROWS = Number(process.env.STAFF_ROWS ?? 1_000_000)
const STAFF_COUNT = 20
const ORGANISATIONS = 5000
const COURSES = 300
/**
 * About 3,600 names of each kind are composed from these. Like real names, they share syllables, but rarely several of them.
 */
const SYLLABLES =
  'ada,bola,chi,dayo,efe,fola,gozi,hauwa,ife,jide,kemi,lanre,musa,ngo,oba,peju,remi,sade,tunde,uche,vic,wale,yemi,zainab'.split(
    ',',
  )
const pairs = SYLLABLES.flatMap(first => SYLLABLES.map(second => first + second))
const GIVEN_NAMES = pairs.flatMap(pair =>
  ['', 'olu', 'ama', 'ike', 'nne', 'ayo'].map(prefix => prefix + pair),
)
const FAMILY_NAMES = pairs.flatMap(pair =>
  ['son', 'eke', 'anya', 'obi', 'umi', 'ola'].map(suffix => pair + suffix),
)
const DAY = 86_400_000
const YEARS = 10
const END = Date.UTC(2026, 5, 15)
const START = END - YEARS * 365 * DAY

let temporary: TemporaryDatabase
const run = (sql: string) => temporary.database.client.execute(sql)
/** Returns a query of ROWS rows: `i` counts from 1 to ROWS, and `@at` is a time; the times are spread over the years. */
const selectRows = (columns: string) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
   select ${columns.replaceAll('@at', `cast(${START} + i * ${(END - START) / ROWS} as integer)`)} from n`

/**
 * Inserts as many accounts, payments, verifications and log entries as a busy portal has after years. All triggers run.
 */
beforeAll(async () => {
  // The database is too large to keep in memory.
  temporary = await createTemporaryDatabase(tmpdir())
  await run('pragma synchronous = off')
  await run('pragma foreign_keys = off')
  for (const [table, names] of [
    ['given', GIVEN_NAMES],
    ['family', FAMILY_NAMES],
  ] as const) {
    await run(`create table ${table} (place integer primary key, name text)`)
    await run(`insert into ${table} values ${names.map((name, place) => `(${place}, '${name}')`).join(', ')}`)
  }
  await run(`insert into users (id, email, firstname, lastname, address, password_hash, role, is_enabled, created_at, updated_at)
    ${selectRows(`'u' || i, printf('%x', i * 7919) || '@mail' || (i % 90) || '.example', (select name from given where place = i * 7919 % ${GIVEN_NAMES.length}), (select name from family where place = i * 104729 % ${FAMILY_NAMES.length}),
      'Organisation ' || (i % ${ORGANISATIONS}) || ', Lagos', '-', iif(i <= ${STAFF_COUNT}, 'admin', 'user'), 1, @at, @at`)}`)
  await run(`insert into payments (id, transaction_id, user_id, provider, provider_reference, mode, amount_minor, currency, status, unknown_policy, created_at, updated_at, expires_at)
    ${selectRows(`'p' || i, 'CVF' || printf('%021d', i * 7919), 'u' || (i * 613 % ${ROWS} + 1), 'demo', 'CV' || printf('%013d', i * 104729), 'test', 500000, 'NGN', 'paid', 'free', @at, @at, @at`)}`)
  await run(`insert into fulfilments (payment_item_id, payment_id, user_id, certificate_number, outcome, snapshot, at)
    ${selectRows(`'i' || i, 'p' || i, 'u' || (i * 613 % ${ROWS} + 1), 'UG/' || i, iif(i % 9, 'verified', 'not_found'), iif(i % 9, json_object('course', 'Course ' || (i * 31 % ${COURSES})), null), @at`)}`)
  await run(`insert into ledger_entries (payment_id, account, amount_minor, currency, reason, at)
    ${selectRows(`'p' || i, 'revenue', -500000, 'NGN', 'verified', @at`)}`)
  await run(`insert into activity_log (user_id, user_email, activity, type, status, at)
    ${selectRows(`iif(i % 11, 'u' || iif(i % 5, i * 613 % ${ROWS} + 1, i % ${STAFF_COUNT} + 1), null), 'x@example.org', 'User login',
      case i % 4 when 0 then 'user' when 1 then 'payment' when 2 then 'admin' else 'upload' end, iif(i % 7, 'success', 'failed'), @at`)}`)
  await run('analyze')
})
afterAll(() => temporary?.remove())

/**
 * Returns the median CPU time of five runs in milliseconds, and the result. SQLite runs in this process, so other load on the
 * machine is excluded.
 */
async function measureCpuTime<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const times: number[] = []
  let result = await work()
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage()
    result = await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return { ms: Math.round((times.sort((a, b) => a - b)[2] ?? 0) * 10) / 10, result }
}

const buildEmailPrefix = (i: number) => `${(i * 7919).toString(16)}@mail`
const formatDay = (at: number) => new Date(at).toISOString().slice(0, 10)
const { log } = console

test('reads every staff screen in less CPU time than a scan of the whole log', async () => {
  const { read } = temporary.database
  const readAnalytics = async (period: { from: string; to: string }) => {
    const unit = 'month'
    await readTotals(read, periodBefore(period))
    await readIntervals(read, { ...period, unit })
    const courses = await readRanked(read, { kind: 'course', limit: 10, ...period })
    const organisations = await readRanked(read, { kind: 'organisation', limit: 10, ...period })
    return { ...(await readTotals(read, period)), courses, organisations }
  }
  const allYears = { from: formatDay(START - DAY), to: formatDay(END + DAY) }
  const adminView = { all: false, viewerId: 'u3' } as const
  const listOptions = { roles: [], status: undefined, page: 1, perPage: 20 }
  const measurements = {
    'analytics, ten years': await measureCpuTime(() => readAnalytics(allYears)),
    'analytics, an odd span of years': await measureCpuTime(() =>
      readAnalytics({ from: '2017-03-09', to: '2025-11-17' }),
    ),
    'analytics, 30 days': await measureCpuTime(() => readAnalytics({ from: '2026-05-10', to: '2026-06-08' })),
    'log counts, everything, super admin': await measureCpuTime(() =>
      countLogs(read, { view: { all: true }, search: '' }),
    ),
    'log counts, everything, admin': await measureCpuTime(() =>
      countLogs(read, { view: adminView, search: '' }),
    ),
    'log counts, a type in odd years, admin': await measureCpuTime(() =>
      countLogs(read, {
        view: adminView,
        search: '',
        type: 'user',
        from: Date.UTC(2017, 2, 9),
        before: Date.UTC(2025, 10, 18),
      }),
    ),
    'log counts as they were before, admin': await measureCpuTime(() =>
      countLogs(read, { view: adminView, search: '%' }),
    ),
    'log, first page, admin': await measureCpuTime(() =>
      listLogs(read, { view: adminView, search: '', page: 1, perPage: 50 }),
    ),
    'accounts, one of them': await measureCpuTime(() =>
      listUsers(read, { ...listOptions, search: buildEmailPrefix(77_777) }),
    ),
    'accounts, a name': await measureCpuTime(() =>
      listUsers(read, { ...listOptions, search: `${GIVEN_NAMES[77]} ${FAMILY_NAMES[5]?.slice(0, 3)}` }),
    ),
    'accounts, most of them': await measureCpuTime(() =>
      listUsers(read, { ...listOptions, search: 'example' }),
    ),
    'accounts, nobody': await measureCpuTime(() => listUsers(read, { ...listOptions, search: 'zebulon' })),
    'accounts, two letters': await measureCpuTime(() => listUsers(read, { ...listOptions, search: 'zq' })),
    'payments, by reference': await measureCpuTime(() =>
      findPayments(read, { text: 'CV00000000', number: 'CV00000000', limit: 5 }),
    ),
  }
  for (const [name, { ms }] of Object.entries(measurements)) log(`${name.padEnd(42)} ${ms} ms`)
  const allAnalytics = measurements['analytics, ten years'].result
  expect(allAnalytics.verifications).toBe(ROWS)
  expect(allAnalytics.revenueMinor).toBe(ROWS * 500_000)
  expect(buildStatistics(measurements['log counts, everything, super admin'].result).total).toBe(ROWS)
  const { rows } = await run(
    `select count(*) as n from activity_log where user_id is null or user_id = 'u3'
      or exists (select 1 from users where users.id = user_id and role = 'user')`,
  )
  expect(buildStatistics(measurements['log counts, everything, admin'].result).total).toBe(Number(rows[0]?.n))
  const { 'log counts as they were before, admin': _, 'accounts, two letters': __, ...limited } = measurements
  // No screen may cost as much as reading a whole table, however fast the machine is.
  const { ms: scan } = await measureCpuTime(() =>
    run("select count(*) from activity_log where upper(user_email) like '%NONE%'"),
  )
  log(`${'reading the whole log'.padEnd(42)} ${scan} ms`)
  expect(Object.entries(limited).filter(([, { ms }]) => ms > scan)).toEqual([])
})
