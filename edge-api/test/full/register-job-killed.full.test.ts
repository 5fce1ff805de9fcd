import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { afterAll, expect, test } from 'vitest'
import '../task-meta.ts'
import { eventually, request, staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/*
 * Tests a bulk edit whose process is killed with SIGKILL as soon as it has processed a chunk. `register-jobs/run.test.ts` covers a
 * process that dies in the middle of each transaction.
 */

const CHUNK_SIZE = 2000
const CHUNK_COUNT = 6
const ROW_COUNT = CHUNK_SIZE * CHUNK_COUNT
/** Longer than the lease of a job, in seconds. */
const AFTER_LEASE_SECONDS = 90
const DEPARTMENT = 'Kill'

let folder = ''
let portal: RunningPortal | undefined
afterAll(async () => {
  await portal?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function query(sql: string) {
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}`, timeout: 10_000 })
  try {
    const { rows } = await client.execute(sql)
    return rows.map(row => ({ ...row }))
  } finally {
    client.close()
  }
}

const readProcessedCount = async () =>
  Number(
    (await query("select processed from register_jobs where kind = 'bulk_edit' order by seq desc limit 1"))[0]
      ?.processed,
  )

test('a bulk edit whose process is killed repeatedly changes no certificate twice', {
  tags: ['REGISTER-15'],
}, async ({ task }) => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-'))
  portal = await startPortal({ FOLDER: folder })
  await query(`
    with recursive n (n) as (select 1 union all select n + 1 from n where n < ${ROW_COUNT})
    insert into certificates (id, certificate_number, student_name, course, graduation_date, grade, department,
      uploaded_at, updated_at, folded)
    select 'kill' || n, 'UG/2031/' || n, 'Ada Obi', 'Law', '2031-07-07', 'Pass', '${DEPARTMENT}', 1, 1,
      'ug/2031/' || n || char(10) || 'ada obi' || char(10) || 'law' from n`)
  const token = await staffToken('admin', portal)
  const started = await request('POST', '/admin/register-jobs', {
    token,
    portal,
    body: {
      kind: 'bulk_edit',
      selection: { filter: { department: DEPARTMENT } },
      set: { grade: 'Merit' },
      reason: 'Decided by the senate',
      expected_count: ROW_COUNT,
    },
  })
  expect(started.status).toBe(201)

  let processedBefore = -1
  let kills = 0
  for (; processedBefore < ROW_COUNT; kills++) {
    // The kill comes after this process has changed something, but before it has finished.
    const processedAtKill = await eventually(async () => {
      const now = await readProcessedCount()
      return now > processedBefore ? now : undefined
    }, 'a processed chunk')
    process.kill(portal.pids.portal ?? 0, 'SIGKILL')
    await portal.stop().catch(() => undefined)
    processedBefore = Math.max(processedAtKill, await readProcessedCount())
    portal = await startPortal({
      FOLDER: folder,
      CLOCK_OFFSET_SECONDS: String((kills + 1) * AFTER_LEASE_SECONDS),
    })
  }
  expect(kills).toBeGreaterThan(1)
  const restartedPortal = portal
  // If the last kill came before the transaction that ends the job, the restarted portal has to end it.
  await eventually(async () => {
    const [job] = await query(
      "select state from register_jobs where kind = 'bulk_edit' order by seq desc limit 1",
    )
    return job?.state === 'running' ? undefined : job
  }, 'the end of the job')
  const { body } = await request('GET', `/admin/register-jobs/${started.body.job.id}`, {
    token: await staffToken('admin', restartedPortal),
    portal: restartedPortal,
  })
  expect(body.job).toMatchObject({ state: 'done', total: ROW_COUNT, changed: ROW_COUNT, skipped: 0 })
  expect(
    await query(
      `select version, grade, count(*) as rows from certificates where department = '${DEPARTMENT}' group by 1, 2`,
    ),
  ).toEqual([{ version: 2, grade: 'Merit', rows: ROW_COUNT }])
  expect(
    await query(
      "select max(c) as most, sum(c) as changes from (select count(*) as c from record_changes where record_id like 'kill%' group by record_id)",
    ),
  ).toEqual([{ most: 1, changes: ROW_COUNT }])
  task.meta.measurement = `${kills} kills, ${ROW_COUNT.toLocaleString('en')} certificates, each changed once`
})
