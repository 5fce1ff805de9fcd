import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { openFile } from './file-client.ts'
import { releaseFreePages } from './free-space.ts'
import { migrate } from './migrate.ts'

async function createDatabase(folder: string, name: string, mode: string) {
  const file = path.join(folder, name)
  const client = openFile(file, { timeout: 1000 })
  await client.execute(`pragma auto_vacuum = ${mode}`)
  await client.execute('pragma journal_mode = wal')
  await migrate(client)
  return { database: openDatabase(client, { serialiseWrites: true }), file }
}

test('a file with auto-vacuum gives back the space of staged rows, and a file without it works too', {
  tags: ['DATA-21'],
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'free-space-'))
  try {
    for (const [mode, expected] of [
      ['incremental', 1.5],
      ['none', Number.POSITIVE_INFINITY],
    ] as const) {
      const { database, file } = await createDatabase(folder, `${mode}.db`, mode)
      const size = async () => {
        await database.client.execute('pragma wal_checkpoint(truncate)')
        return (await stat(file)).size
      }
      const before = await size()
      await database.write(tx =>
        tx.run(sql`insert into upload_rows (line, certificate_number, student_name, course, graduation_date, grade, department)
          with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
          select i, 'junk', hex(randomblob(100)), '', '', '', '' from n`),
      )
      await database.write(tx => tx.run(sql`delete from upload_rows`))
      expect(await size()).toBeGreaterThan(before * 10)
      while ((await releaseFreePages(database)) > 0);
      expect((await size()) / before).toBeLessThan(expected)
      const [check] = await database.read.all<{ integrity_check: string }>(sql`pragma integrity_check`)
      expect(check?.integrity_check).toBe('ok')
      database.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
