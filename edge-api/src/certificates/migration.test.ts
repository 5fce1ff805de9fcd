import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { expect, it } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { listCertificates } from './store.ts'

it('a register from before the search index keeps its rows, order and counts, and is found', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-migration-'))
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}` })
  await client.execute('create table schema_migrations (name text primary key, applied_at integer not null)')
  for (const { name, statements } of migrations.slice(0, 3)) {
    for (const statement of statements) await client.execute(statement)
    await client.execute({ sql: 'insert into schema_migrations values (?, 0)', args: [name] })
  }
  const insert = (number: string, name: string, at: number, withdrawnAt: number | null) =>
    client.execute({
      sql: `insert into certificates (id, certificate_number, student_name, course, graduation_date, grade, department,
        uploaded_at, updated_at, withdrawn_at) values (?, ?, ?, 'Law', '2019-07-07', 'Pass', 'Law', ?, ?, ?)`,
      args: [crypto.randomUUID(), number, name, at, at, withdrawnAt],
    })
  await insert('UG/2019/00003', 'Newest', 3000, null)
  await insert('UG/2019/00001', 'ADÉBÁYỌ̀ Ọláṣẹ́ńí'.normalize('NFC'), 1000, null)
  await insert('UG/2019/00002', 'Adebayo Withdrawn', 2000, 2500)
  await migrate(client)

  const { read } = openDatabase(client, { serialiseWrites: true })
  const numbers = async (search: string) => {
    const { rows, total } = await listCertificates(read, { search, page: 1, perPage: 10 })
    return [total, ...rows.map(row => row.certificateNumber)]
  }
  expect(await numbers('')).toEqual([2, 'UG/2019/00003', 'UG/2019/00001'])
  expect(await numbers('adebayo olaseni')).toEqual([1, 'UG/2019/00001'])
  expect(await numbers('withdrawn')).toEqual([0])
  await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
  client.close()
  await rm(folder, { recursive: true, force: true })
})
