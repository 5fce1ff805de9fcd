import { type RegisterFilters, type RegisterSort, registerSorts } from '@portal/contract/register-filters'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { FOLDED_NAME } from '../db/schema/certificates.ts'
import { listRegister } from './list-store.ts'

/* Tests lists that match too many rows to sort, where no match is near the start of the descending order. */

const EARLY_ROW_COUNT = 50_600
const ROW_COUNT = EARLY_ROW_COUNT + 20_500

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
  const { client } = temporary.database
  // Within each part, sorting by one column says nothing about the order by another. Every thousandth row is deleted.
  const partSql = `iif(i <= ${EARLY_ROW_COUNT}, 'E', 'L')`
  const shuffledSql = (step: number) => `printf('%s%06d', ${partSql}, i * ${step} % 99991)`
  const yearSql = `iif(i <= ${EARLY_ROW_COUNT}, 1990, 2010) + i % 7`
  await client.executeMultiple(`
    drop trigger index_certificate;
    insert into uploads (seq, id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at)
    values (1, 'first', 'u', 'u', 'f', 0, 'skip', 'done', 0);
    insert into certificates (seq, id, certificate_number, student_name, matric_number, course, graduation_date, grade,
      department, uploader_email, uploaded_at, updated_at, folded, upload_seq, withdrawn_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROW_COUNT})
    select i, 'c' || i, ${shuffledSql(7919)}, ${shuffledSql(104_729)}, ${shuffledSql(1_299_709)}, ${partSql}, (${yearSql}) || '-07-01', ${partSql}, ${partSql},
      lower(${partSql}) || '@b.test', i * 1000 * 60, i, ${shuffledSql(7919)} || char(10) || ${shuffledSql(104_729)} || char(10) || 'x',
      iif(i <= ${EARLY_ROW_COUNT}, 1, null), iif(i % 1000 = 0, 1, null) from n;
    pragma foreign_keys = off;
    insert into letters (code, ref_number, payment_item_id, user_id, certificate_id, template, status, issued_at, status_at)
    select 'l' || i, 'r' || i, 'p' || i, 'u', id, '{}', 'valid', 0, 0
    from (select id, seq as i from certificates where seq <= ${EARLY_ROW_COUNT});`)
})
afterAll(() => temporary.remove())

const LAST_EARLY_DAY = new Date(EARLY_ROW_COUNT * 60_000).toISOString().slice(0, 10)
const EARLY_CONDITION = `seq <= ${EARLY_ROW_COUNT}`

/** Filters, and the equivalent conditions in SQL. */
const FILTERS: [Partial<RegisterFilters>, string][] = [
  [{ course: 'E' }, EARLY_CONDITION],
  [{ upload_id: 'first' }, EARLY_CONDITION],
  [{ letters: 'with' }, EARLY_CONDITION],
  [{ search: 'e0' }, "matric_number < 'E1'"],
  [{ search: 'e' }, EARLY_CONDITION],
  [{ graduated_to: '1999-01-01' }, EARLY_CONDITION],
  [{ graduated_from: '1980-01-01', graduated_to: '1999-01-01' }, EARLY_CONDITION],
  [{ graduated_from: '1992-01-01' }, "graduation_date >= '1992'"],
  [{ uploaded_to: LAST_EARLY_DAY }, `date(uploaded_at / 1000, 'unixepoch') <= '${LAST_EARLY_DAY}'`],
  [{ department: 'E', graduated_to: '1999-01-01', letters: 'with' }, EARLY_CONDITION],
  [{ graduated_to: '1999-01-01', uploaded_from: '1970-01-01' }, EARLY_CONDITION],
  [{ letters: 'with', grade: 'E', uploader: 'e@b.test' }, EARLY_CONDITION],
]

const SORT_COLUMNS: Record<string, string> = {
  uploaded_at: 'seq',
  certificate_number: 'certificate_number',
  student_name: FOLDED_NAME,
  graduation_date: 'graduation_date',
}

/** Returns the `seq` values of a page, found by sorting all matches. */
async function listBySorting(where: string, sort: RegisterSort, page: number): Promise<unknown[]> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const { rows } = await temporary.database.client.execute(`
    select seq from certificates where withdrawn_at is null and ${where}
    order by ${SORT_COLUMNS[sort.replace('-', '')]} ${direction}, seq desc limit 20 offset ${(page - 1) * 20}`)
  return rows.map(({ seq }) => seq)
}

test.each(FILTERS)(
  'a list filtered by %o has the same rows as if all matches were sorted',
  { tags: ['REGISTER-26'] },
  async (filter, where) => {
    for (const sort of registerSorts)
      for (const page of [1, 499]) {
        const filters = { search: '', ...filter }
        const { rows } = await listRegister(temporary.database.read, { filters, sort, page, perPage: 20 })
        expect([sort, page, rows.map(({ seq }) => seq)]).toEqual([
          sort,
          page,
          await listBySorting(where, sort, page),
        ])
      }
  },
)
