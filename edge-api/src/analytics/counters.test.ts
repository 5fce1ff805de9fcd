import { afterEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { restoreCertificate, withdrawCertificate } from '../certificates/store.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { seed } from '../seed/seed.ts'
import { analyticsOf, recentDays } from './rules.ts'
import { type DayCounters, readDays, readTotals } from './store.ts'

const DAY = 86_400_000
let setup: TestSetup
afterEach(() => setup.close())

const rowsOf = async (sql: string) =>
  (await setup.database.client.execute(sql)).rows.map(row => ({ ...row }) as Record<string, unknown>)

const expectRecount = async () => expect(await findCounterDifferences(setup.database.client)).toEqual([])

test('a recount of the demo data matches the counters', async () => {
  setup = await openTestSetup()
  await seed(setup.ports, setup.database)
  await expectRecount()
  const totals = await readTotals(setup.database.read)
  expect(totals.users).toBeGreaterThan(5)
  expect(totals.certificates).toBe(1000)
  expect(totals.verifications).toBeGreaterThan(20)
  expect(totals.notFound).toBeGreaterThan(0)
  expect(totals.revenueMinor).toBeGreaterThan(0)
})

test('a recount after payments, failures, withdrawals and deletions matches the counters', async () => {
  setup = await openTestSetup()
  for (const outcome of ['succeeded', 'failed', 'succeeded'] as const) {
    const { reference } = await setup.newPayment()
    setup.ports.time += DAY
    setup.gateway.setOutcome(reference, outcome)
    await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
    await expectRecount()
  }
  expect(await readTotals(setup.database.read)).toMatchObject({
    verifications: 2,
    successful: 2,
    notFound: 0,
  })

  const [first, second] = await rowsOf('select id from certificates where withdrawn_at is null')
  await setup.database.write(tx => withdrawCertificate(tx, { id: String(first?.id), at: setup.ports.time }))
  await expectRecount()
  await setup.database.write(tx => withdrawCertificate(tx, { id: String(second?.id), at: setup.ports.time }))
  await setup.database.write(tx => restoreCertificate(tx, { id: String(first?.id), at: setup.ports.time }))
  await expectRecount()
  await setup.database.client.execute('delete from certificates where withdrawn_at is not null')
  await expectRecount()
})

test('a payment that is rolled back is not counted', async () => {
  setup = await openTestSetup()
  const { reference } = await setup.newPayment()
  const before = await rowsOf('select * from daily_counters')
  setup.gateway.setOutcome(reference, 'succeeded')
  await setup.database.client.execute(
    "create trigger refuse before insert on activity_log begin select raise(abort, 'disk full'); end",
  )
  await expect(syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')).rejects.toThrow()
  expect(await rowsOf('select * from daily_counters')).toEqual(before)
})

test('the last 30 days are today and the 29 before, in UTC', async () => {
  setup = await openTestSetup()
  const now = Date.UTC(2026, 2, 15, 23, 59)
  const days = recentDays(now)
  expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-02-14', '2026-03-15'])
  const buildDay = (name: string, verifications: number): DayCounters => ({
    day: name,
    users: 1,
    certificates: 2,
    verifications,
    successful: verifications - 1,
    notFound: 1,
    revenueMinor: verifications * 500_050,
  })
  const totals = {
    users: 9,
    certificates: 8,
    verifications: 7,
    successful: 6,
    notFound: 1,
    revenueMinor: 100,
  }
  const month = { ...totals, users: 4, certificates: 3, verifications: 2, revenueMinor: 50 }
  const figures = analyticsOf(totals, month, [buildDay('2026-02-14', 2), buildDay('2026-03-15', 3)], now)
  expect(figures).toMatchObject({
    total_users: 9,
    recent_users: 2,
    recent_certificates: 4,
    recent_authentications: 5,
    total_revenue: 1,
    recent_revenue: 25_002.5,
    this_month: { users: 4, certificates: 3, authentications: 2, revenue: 0.5 },
    success_rate: 85.7,
  })
  expect(figures.daily[0]).toEqual({
    date: '2026-02-14',
    verifications: 2,
    successful: 1,
    not_found: 1,
    revenue: 10_001,
  })
  expect(figures.daily[1]).toMatchObject({ date: '2026-02-15', verifications: 0, revenue: 0 })
  expect(await readDays(setup.database.read, { from: '2999-01-01' })).toEqual([])
})
