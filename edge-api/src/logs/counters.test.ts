import { randomInt } from 'node:crypto'
import { classifyActivity } from '@portal/format/activity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences as recountAll } from '../../test/recount.ts'
import { rollUp } from '../jobs/rollup-store.ts'
import { buildStatistics } from './rules.ts'
import { countLogs, type LogFilter, recordLogEntry } from './store.ts'

const DAY = 86_400_000
let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const activities = [
  'User login',
  'Certificate created',
  'Payment declined',
  'Settings viewed',
  'User password reset',
]
const pickOne = <T>(values: readonly T[]): T => {
  const value = values[randomInt(values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/** Counts the rows without the counters: a search is never answered from them, and this one matches every row. */
const recount = (filter: LogFilter) => countLogs(setup.database.read, { ...filter, search: '%' })

test('counters agree with a recount for any entries and any viewer, through role changes and roll-ups', async () => {
  const { client, read, write } = setup.database
  const people = await Promise.all(Array.from({ length: 6 }, () => setup.newUser()))
  const start = Date.UTC(2025, 10, 20)
  for (let step = 0; step < 300; step++) {
    const choice = randomInt(20)
    if (choice === 0) {
      const args = [pickOne(['user', 'admin', 'super_admin']), pickOne(people).id]
      await client.execute({ sql: 'update users set role = ? where id = ?', args })
    } else if (choice === 2) {
      await rollUp(setup.database, start + randomInt(130) * DAY)
    } else if (choice === 1 && step > 200) {
      await client.execute({ sql: 'delete from users where id = ?', args: [people[5]?.id ?? ''] })
    } else {
      await write(tx =>
        recordLogEntry(tx, {
          userId: pickOne([...people.map(({ id }) => id), null, 'nobody']),
          userEmail: null,
          activity: pickOne(activities),
          // The search in `recount` finds this text.
          details: '%',
          at: start + randomInt(120) * DAY + randomInt(DAY),
        }),
      )
    }
    if (step % 20 > 0) continue
    expect(await recountAll(client)).toEqual([])
    const from = start + randomInt(-5, 120) * DAY
    const views = [{ all: true } as const, ...people.map(({ id }) => ({ all: false, viewerId: id }) as const)]
    for (const view of views) {
      for (const period of [
        {},
        { from },
        { before: from },
        { from, before: from + randomInt(1, 90) * DAY },
      ]) {
        for (const type of [undefined, classifyActivity(pickOne(activities)).type]) {
          const filter = { view, type, search: '', ...period }
          expect(buildStatistics(await countLogs(read, filter))).toEqual(
            buildStatistics(await recount(filter)),
          )
        }
      }
    }
  }
})

test('an entry that is rolled back is not counted', async () => {
  const { read, write } = setup.database
  const entry = { userId: null, userEmail: null, activity: 'User login', at: setup.ports.time }
  await expect(
    write(async tx => {
      await recordLogEntry(tx, entry)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(buildStatistics(await countLogs(read, { view: { all: true }, search: '' })).total).toBe(0)
})
