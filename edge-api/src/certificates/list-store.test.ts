import { type RegisterFilters, type RegisterSort, registerSorts } from '@portal/contract/register-filters'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoggingClient, explainQuery } from '../../test/query-log.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { openDatabase } from '../db/database.ts'
import { listRegister, listRegisterBelow } from './list-store.ts'

/** More rows than the portal sorts, so that it reads them in the order of an index instead. */
const ROWS = 50_500

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
  // All rows have the same course, and every hundredth has another grade. The search index is not needed here.
  await temporary.database.client.executeMultiple(`
    drop trigger index_certificate;
    insert into certificates (seq, id, certificate_number, student_name, matric_number, course, graduation_date, grade,
      department, uploader_email, uploaded_at, updated_at, folded)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    select i, 'c' || i, 'N/' || i, 'name ' || (i * 7919 % 100), 'M' || i, 'Physics', '2020-07-' || (10 + i % 20),
      iif(i % 100 = 0, 'First', 'Pass'), 'Science', 'a@b.test', i, i,
      'n/' || i || char(10) || 'name ' || (i * 7919 % 100) || char(10) || 'physics' from n`)
})
afterAll(() => temporary.remove())

const FILTERS: RegisterFilters[] = [
  { search: '', course: 'Physics' },
  { search: '', grade: 'First' },
  { search: '', department: 'Science' },
  { search: '', graduated_from: '2020-07-12', graduated_to: '2020-07-13' },
  { search: '', uploaded_from: '1970-01-01', uploaded_to: '1970-01-01' },
  { search: '', uploader: 'a@b.test' },
  { search: '', upload_id: 'none' },
  { search: '', letters: 'with' },
  { search: '', letters: 'without' },
  { search: 'm1' },
  { search: '' },
]

/** Returns the query plans of all statements that `work` sends to count, find or read certificates. */
async function plansOf(work: (db: ReturnType<typeof openDatabase>['read']) => Promise<unknown>) {
  const { client, queries } = createLoggingClient(temporary.database.client)
  await work(openDatabase(client, { serialiseWrites: true }).read)
  const plans = []
  for (const query of queries.values())
    plans.push({ sql: query.sql, steps: await explainQuery(temporary.database.client, query) })
  return plans
}

const detailsOf = (plans: Awaited<ReturnType<typeof plansOf>>) =>
  plans.flatMap(({ steps }) => steps.map(({ detail }) => detail))

test.each(FILTERS)('reads %o with an index in every sort order', { tags: ['REGISTER-26'] }, async filters => {
  for (const sort of registerSorts) {
    const plans = await plansOf(db => listRegister(db, { filters, sort, page: 2, perPage: 20 }))
    // The table itself is in the order of `seq`; any other full scan lacks an index.
    const fullScans = plans.flatMap(({ sql, steps }) =>
      steps.filter(({ detail }) => detail === 'SCAN certificates' && !/order by seq/.test(sql)),
    )
    expect([sort, fullScans]).toEqual([sort, []])
  }
})

test('no page or export of many rows sorts all of them', { tags: ['REGISTER-26'] }, async () => {
  const all = { search: '', course: 'Physics' }
  for (const sort of registerSorts) {
    const page = await plansOf(db => listRegister(db, { filters: all, sort, page: 2, perPage: 20 }))
    const file = await plansOf(db =>
      listRegisterBelow(db, { filters: all, sort, below: undefined, limit: 100 }),
    )
    // Rows with equal values are sorted newest first.
    expect([
      sort,
      detailsOf([...page, ...file]).filter(step => /^USE TEMP B-TREE FOR ORDER BY/.test(step)),
    ]).toEqual([sort, []])
  }
})

test('counts and shows at most 10,000 matches', { tags: ['REGISTER-26'] }, async () => {
  const { read } = temporary.database
  const list = (page: number) =>
    listRegister(read, {
      filters: { search: '', course: 'Physics' },
      sort: 'student_name',
      page,
      perPage: 20,
    })
  expect(await list(500)).toMatchObject({ rows: { length: 20 }, total: 10_000, isMinimum: true })
  expect(await list(501)).toMatchObject({ rows: [], total: 10_000, isMinimum: true })
  const few = await listRegister(read, {
    filters: { search: '', grade: 'First' },
    sort: 'student_name',
    page: 1,
    perPage: 20,
  })
  expect(few).toMatchObject({ total: ROWS / 100, isMinimum: false })
})

test.each(registerSorts)('without a filter, the last page by %s has the last rows', async sort => {
  const list = (page: number) =>
    listRegister(temporary.database.read, { filters: { search: '' }, sort, page, perPage: 100 })
  const pages = ROWS / 100
  const last = await list(pages)
  expect(last).toMatchObject({ rows: { length: 100 }, total: ROWS, isMinimum: false })
  expect((await list(pages - 1)).rows.map(({ id }) => id)).not.toContain(last.rows[0]?.id)
  expect(await list(pages + 1)).toMatchObject({ rows: [], total: ROWS })
})

test.each(registerSorts)(
  'an export by %s contains the rows of all pages, in the same order',
  async (sort: RegisterSort) => {
    const { read } = temporary.database
    const filters = { search: '', grade: 'First' }
    const exported: number[] = []
    for (let below: Awaited<ReturnType<typeof listRegisterBelow>>['next']; ; ) {
      const { rows, next } = await listRegisterBelow(read, { filters, sort, below, limit: 37 })
      exported.push(...rows.map(({ seq }) => seq))
      if (!next) break
      below = next
    }
    const paged: number[] = []
    for (let page = 1; page <= 6; page++)
      paged.push(
        ...(await listRegister(read, { filters, sort, page, perPage: 100 })).rows.map(({ seq }) => seq),
      )
    expect(exported).toEqual(paged)
    expect(new Set(exported).size).toBe(ROWS / 100)
  },
)

test('a search that matches most of the register returns the right pages, and can be filtered and exported', {
  tags: ['REGISTER-26'],
}, async () => {
  const { read } = temporary.database
  const all = await listRegister(read, {
    filters: { search: 'm' },
    sort: '-uploaded_at',
    page: 2,
    perPage: 20,
  })
  expect(all).toMatchObject({ total: 10_000, isMinimum: true })
  expect(all.rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => ROWS - 20 - index))
  const filters: RegisterFilters = { search: 'm', grade: 'First' }
  const firstPasses = await listRegister(read, { filters, sort: 'certificate_number', page: 1, perPage: 3 })
  expect(firstPasses).toMatchObject({ total: ROWS / 100, isMinimum: false })
  expect(firstPasses.rows.map(({ certificateNumber }) => certificateNumber)).toEqual([
    'N/100',
    'N/1000',
    'N/10000',
  ])
  const exported = await listRegisterBelow(read, {
    filters,
    sort: '-uploaded_at',
    below: undefined,
    limit: 1000,
  })
  expect(exported.rows).toHaveLength(ROWS / 100)
})
