import { randomInt } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences as recountAll } from '../../test/recount.ts'
import { rollUp } from '../jobs/rollup-store.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { seed } from '../seed/seed.ts'
import { buildSeries, computeGrowth, daysOf, periodBefore, unitOf } from './period.ts'
import { readIntervals, readRanked, readTotals } from './store.ts'
import { toStorage } from './system.ts'

const DAY = 86_400_000
let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const rowsOf = async (sql: string, args: (string | number)[] = []) =>
  (await setup.database.client.execute({ sql, args })).rows.map(
    row => ({ ...row }) as Record<string, unknown>,
  )
const isoDate = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Counts courses and organisations from the rows. This is correct as long as no payer has changed organisation. */
const recount = (kind: 'course' | 'organisation', from: string, to: string) =>
  rowsOf(
    kind === 'course'
      ? `select min(trim(json_extract(snapshot, '$.course'))) as name, count(*) as verifications
          from fulfilments where outcome = 'verified' and date(at / 1000, 'unixepoch') between ? and ?
          group by trim(json_extract(snapshot, '$.course')) collate nocase order by 2 desc, 1`
      : `select min(trim(substr(address, 1, instr(address || ',', ',') - 1))) as name, count(*) as verifications
          from fulfilments join users on users.id = user_id
          where outcome in ('verified', 'not_found') and date(at / 1000, 'unixepoch') between ? and ?
          group by trim(substr(address, 1, instr(address || ',', ',') - 1)) collate nocase order by 2 desc, 1`,
    [from, to],
  )

async function expectRecount(from: string, to: string) {
  for (const kind of ['course', 'organisation'] as const) {
    const storedRanking = await readRanked(setup.database.read, { kind, from, to, limit: 1000 })
    const counted = storedRanking.map(({ name, verifications }) => ({ name, verifications }))
    const toSortedJson = <Row>(rows: Row[]) => rows.map(row => JSON.stringify(row)).sort()
    expect(toSortedJson(counted)).toEqual(toSortedJson(await recount(kind, from, to)))
  }
}

test('courses and organisations of any period match a recount of the demo data', {
  tags: ['STAFF-17'],
}, async () => {
  await seed(setup.ports, setup.database)
  const now = setup.ports.time
  expect(
    await readRanked(setup.database.read, { kind: 'course', from: '2000-01-01', to: '2100-01-01', limit: 9 }),
  ).not.toEqual([])
  for (let round = 0; round < 40; round++) {
    // Rolls up the demo data day by day; repeating it changes nothing.
    if (round % 4 === 3) await rollUp(setup.database, now - (40 - round) * 5 * DAY)
    const from = now - randomInt(200) * DAY
    await expectRecount(isoDate(from), isoDate(from + randomInt(200) * DAY))
    expect(await recountAll(setup.database.client)).toEqual([])
  }
})

test('subtracting the other days from all time gives the same figures before and after a roll-up', async () => {
  await seed(setup.ports, setup.database)
  const { read } = setup.database
  const [from = '', to = ''] = [isoDate(setup.ports.time - 150 * DAY), isoDate(setup.ports.time - 1)]
  const dataRange = { from: isoDate(setup.ports.time - 160 * DAY), to: isoDate(setup.ports.time) }
  const readRankings = () =>
    Promise.all(
      (['course', 'organisation'] as const).map(kind =>
        readRanked(read, { kind, from, to, limit: 1000, dataRange }),
      ),
    )
  const before = await readRankings()
  expect(before.flat()).not.toEqual([])
  while (await rollUp(setup.database, setup.ports.time - 20 * DAY)) {}
  expect(await readRankings()).toEqual(before)
  while (await rollUp(setup.database, setup.ports.time + DAY)) {}
  expect(await readRankings()).toEqual(before)
})

test('the rankings count successful payments, and subtract reversed amounts from revenue', async () => {
  const { read, client } = setup.database
  for (const outcome of ['succeeded', 'failed', 'succeeded', 'succeeded'] as const) {
    const { reference, user } = await setup.newPayment()
    await client.execute({
      sql: "update users set address = 'ZENITH bank, Lagos' where id = ?",
      args: [user.id],
    })
    setup.ports.time += 20 * DAY
    setup.gateway.setOutcome(reference, outcome)
    await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  }
  const period = { from: '2026-01-01', to: '2026-12-31', limit: 5 }
  const fee = (await readTotals(read)).revenueMinor / 3
  const [zenith, ...others] = await readRanked(read, { kind: 'organisation', ...period })
  expect(others).toEqual([])
  expect(zenith).toEqual({ name: 'ZENITH bank', verifications: 3, successful: 3, revenueMinor: 3 * fee })
  await expectRecount('2026-01-01', '2026-12-31')

  // A name in another letter case is the same company; a reversal is subtracted on the day of the reversal.
  await client.execute("update users set address = 'Zenith Bank,Abuja'")
  const [payment] = await rowsOf("select payment_id from ledger_entries where account = 'revenue'")
  await client.execute({
    sql: `insert into ledger_entries (payment_id, account, amount_minor, currency, reason, at)
      values (?, 'revenue', ?, 'NGN', 'reversed', ?)`,
    args: [String(payment?.payment_id), fee, setup.ports.time],
  })
  const [after] = await readRanked(read, { kind: 'organisation', ...period })
  expect(after).toMatchObject({ name: 'ZENITH bank', verifications: 3, revenueMinor: 2 * fee })
})

test('the intervals of a period add up to its totals, in any unit', async () => {
  await seed(setup.ports, setup.database)
  const to = isoDate(setup.ports.time)
  for (const [days, unit] of [
    [7, 'day'],
    [92, 'day'],
    [93, 'week'],
    [365, 'week'],
    [731, 'week'],
    [732, 'month'],
  ] as const) {
    const period = { from: isoDate(setup.ports.time - (days - 1) * DAY), to }
    expect([daysOf(period), unitOf(period)]).toEqual([days, unit])
    const series = buildSeries(period, unit, await readIntervals(setup.database.read, { ...period, unit }))
    const totals = await readTotals(setup.database.read, period)
    const sum = (key: 'verifications' | 'revenue' | 'users') =>
      series.reduce((total, item) => total + item[key], 0)
    expect(sum('verifications')).toBe(totals.verifications)
    expect(sum('users')).toBe(totals.users)
    expect(sum('revenue')).toBeCloseTo(totals.revenueMinor / 100, 2)
    expect(series.length).toBeLessThan(130)
    series.forEach((interval, index) => {
      const start = index === 0 ? period.from : isoDate(Date.parse(series[index - 1]?.to ?? '') + DAY)
      expect(interval.from).toBe(start)
    })
    expect(series.at(-1)?.to).toBe(to)
    if (unit === 'week') expect(new Date(series[1]?.from ?? '').getUTCDay()).toBe(1)
  }
})

test('growth is relative to the preceding period of the same length', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: '2026-01-29',
    to: '2026-02-28',
  })
  const figures = {
    verifications: 30,
    successful: 27,
    not_found: 3,
    revenue: 150_000,
    success_rate: 90,
    users: 4,
    certificates: 0,
  }
  const before = { ...figures, verifications: 40, revenue: 120_000, success_rate: 92.5, users: 0 }
  expect(computeGrowth(figures, before)).toEqual({
    verifications: -25,
    revenue: 25,
    users: null,
    certificates: null,
    success_rate: -2.5,
  })
  expect(computeGrowth(figures, null)).toMatchObject({
    verifications: null,
    revenue: null,
    success_rate: null,
  })
})

test('a disk that is 85 percent full is reported as a warning, and one that cannot be measured as unknown', {
  tags: ['STAFF-18'],
}, () => {
  const status = (free: number) => toStorage(1, { free, total: 1000 }).status
  expect([status(151), status(150), status(50)]).toEqual(['healthy', 'warning', 'error'])
  expect(toStorage(4096, undefined)).toEqual({
    status: 'unknown',
    database_bytes: 4096,
    free_bytes: null,
    used_percent: null,
  })
})
