import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { listCertificates } from './store.ts'

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
})
afterAll(() => temporary.remove())

const ROWS = 9000

test('deep pages contain the rows that a full scan finds, despite gaps and withdrawn certificates', async () => {
  const { client, read } = temporary.database
  // The rows are spread over about a hundred blocks, with a gap.
  await client.execute(`
    insert into certificates (seq, id, certificate_number, student_name, course, graduation_date, grade, department,
      uploaded_at, updated_at, folded, withdrawn_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    select i * 97 + iif(i > 4000, 600000, 0), 'c' || i, 'N/' || i, 'Ada Obi', 'Physics', '2020-07-01', 'Pass', '', i, i, '',
      iif(i % 7 = 0 or i between 5000 and 5100, i, null) from n`)
  const { rows } = await client.execute(
    'select certificate_number from certificates where withdrawn_at is null order by seq desc',
  )
  const all = rows.map(row => row.certificate_number)
  for (const page of [1, 41, 42, 43, 60, Math.ceil(all.length / 100), 1000]) {
    const found = await listCertificates(read, { search: '', page, perPage: 100 })
    const numbers = found.rows.map(row => row.certificateNumber)
    expect([page, found.total, numbers]).toEqual([page, all.length, all.slice((page - 1) * 100, page * 100)])
  }
})
