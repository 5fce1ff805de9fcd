import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { countFromNearerEnd, findPagePosition, onDays } from './pages.ts'

const DAY = 86_400_000
let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
})
afterAll(() => temporary.remove())

test('finds a deep page with the counts per day', async () => {
  const { read, client } = temporary.database
  const start = Date.UTC(2026, 0, 1)
  await client.execute('create table rows_of_list (at integer, id integer)')
  await client.execute('create table days_of_list (day text, kind text, total integer)')
  // Rows per day, from 0 to 112, in two counters per day.
  const sizes = Array.from({ length: 60 }, (_, day) => (day * 37) % 113)
  let id = 0
  for (const [day, size] of sizes.entries()) {
    const at = start + day * DAY
    await client.execute(
      `insert into rows_of_list with recursive n(i) as (select 1 union all select i + 1 from n where i < ${size})
       select ${at} + i * 700000, ${id} + i from n where i <= ${size}`,
    )
    id += size
    const iso = new Date(at).toISOString().slice(0, 10)
    await client.execute({
      sql: 'insert into days_of_list values (?, ?, ?), (?, ?, ?)',
      args: [iso, 'a', Math.floor(size / 2), iso, 'b', Math.ceil(size / 2)],
    })
  }
  const idsOf = async (condition: string, limit: number, offset: number) =>
    (
      await client.execute(
        `select id from rows_of_list where ${condition} order by at desc, id desc limit ${limit} offset ${offset}`,
      )
    ).rows.map(row => row.id)
  const days = sql`select day, total from days_of_list`
  for (let offset = 990; offset < id + 200; offset += 83) {
    const expected = await idsOf('true', 50, offset)
    const span = await findPagePosition(read, days, { offset, limit: 50 })
    const { before = Number.MAX_SAFE_INTEGER } = span ?? {}
    const found = span ? await idsOf(`at < ${before}`, span.limit, span.offset) : []
    expect([offset, found]).toEqual([offset, expected])
    // Skips no more rows than a day has, except for pages close to the start.
    expect(span === undefined || offset <= 1000 || span.offset < 113).toBe(true)
  }
})

test('limits rows to a period of days', async () => {
  const { read } = temporary.database
  const daysWithin = async (from: number | undefined, before: number | undefined) =>
    (
      await read.all<{ day: string }>(
        sql`select day from (select '2026-01-01' as day union all select '2026-01-02' union all select '2026-01-03')
          where ${onDays({ from, before })}`,
      )
    ).map(({ day }) => day.slice(-1))
  expect(await daysWithin(undefined, undefined)).toEqual(['1', '2', '3'])
  expect(await daysWithin(Date.UTC(2026, 0, 2), undefined)).toEqual(['2', '3'])
  expect(await daysWithin(undefined, Date.UTC(2026, 0, 3))).toEqual(['1', '2'])
  expect(await daysWithin(Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 3))).toEqual(['2'])
})

test('reads a page from whichever end of the list is nearer', () => {
  const list = Array.from({ length: 107 }, (_, index) => index)
  for (let offset = 0; offset < 130; offset++) {
    const page = countFromNearerEnd(list.length, { offset, limit: 10 })
    const rows = page.backwards ? list.toReversed() : list
    const found = rows.slice(page.offset, page.offset + page.limit)
    expect([offset, page.backwards ? found.toReversed() : found]).toEqual([
      offset,
      list.slice(offset, offset + 10),
    ])
    expect(page.offset).toBeLessThanOrEqual(54)
  }
})
