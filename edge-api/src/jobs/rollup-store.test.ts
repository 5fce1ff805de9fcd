import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { recordLogEntry } from '../logs/store.ts'
import { rollUp } from './rollup-store.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 2, 10, 12)

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
  setup.ports.time = NOON
})
afterEach(() => setup.close())

const recordLogin = (at: number) =>
  setup.database.write(tx =>
    recordLogEntry(tx, { userId: null, userEmail: null, activity: 'User login', at }),
  )

/** Returns the counters of a unit (`day`, `month` or `year`), each as the text `<period> <total>`. */
async function readCounters(unit: string) {
  const { rows } = await setup.database.client.execute({
    sql: 'select period, total from activity_counters where unit = ? order by period',
    args: [unit],
  })
  return rows.map(row => `${row.period} ${row.total}`)
}

test('a log entry is counted in its day, and in longer periods once the day has been rolled up', async () => {
  await recordLogin(NOON)
  await recordLogin(NOON - DAY)
  expect(await readCounters('day')).toEqual(['2026-03-09 1', '2026-03-10 1'])
  expect(await readCounters('month')).toEqual([])
  const hasMoreDays = await rollUp(setup.database, NOON)
  expect(hasMoreDays).toBe(false)
  expect(await readCounters('month')).toEqual(['2026-03 1'])
  expect(await readCounters('year')).toEqual(['2026 1'])
  // An entry for a day that has already been rolled up is counted in longer periods immediately.
  await recordLogin(NOON - DAY)
  expect(await readCounters('month')).toEqual(['2026-03 2'])
  expect(await rollUp(setup.database, NOON + DAY)).toBe(false)
  expect(await readCounters('month')).toEqual(['2026-03 3'])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('days are rolled up once, even by parallel runs and by a run whose clock is behind', async () => {
  for (let day = 0; day < 20; day += 3) await recordLogin(NOON - day * DAY)
  const hasMoreDays = await rollUp(setup.database, NOON)
  expect(hasMoreDays).toBe(true)
  await Promise.all(Array.from({ length: 6 }, () => rollUp(setup.database, NOON)))
  expect(await rollUp(setup.database, NOON - 10 * DAY)).toBe(false)
  expect(await readCounters('month')).toEqual(['2026-02 3', '2026-03 3'])
  expect(await readCounters('year')).toEqual(['2026 6'])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('a failed roll-up changes nothing', async () => {
  await recordLogin(NOON - DAY)
  await setup.database.client.execute(
    "create trigger refuse before update on counter_rollup begin select raise(abort, 'disk full'); end",
  )
  await expect(rollUp(setup.database, NOON)).rejects.toThrow()
  expect(await readCounters('month')).toEqual([])
  await setup.database.client.execute('drop trigger refuse')
  await rollUp(setup.database, NOON)
  expect(await readCounters('month')).toEqual(['2026-03 1'])
})

test('the scheduler rolls up past days, a week per run', async () => {
  for (const day of [30, 20, 10, 0]) await recordLogin(NOON - day * DAY)
  for (let run = 0; run < 4; run++) await runScheduledJobs(setup.ports, setup.database)
  expect(await readCounters('year')).toEqual(['2026 3'])
  const { rows } = await setup.database.client.execute('select day from counter_rollup')
  expect(rows).toMatchObject([{ day: '2026-03-10' }])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})
