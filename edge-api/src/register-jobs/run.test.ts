import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from '../../test/temporary-database.ts'
import { auditHistory } from '../history/audit.ts'
import type { Ports } from '../ports.ts'
import { previewRevert } from './revert-preview-store.ts'
import { endEarly, runRegisterJobs } from './run.ts'
import { changeJob, findJob, insertJob, LEASE_MS, stageRows } from './store.ts'

const ROWS = 4100
const GRADE = 'First Class'

let setup: TemporaryDatabase
let ports: Ports & TestPorts

beforeEach(async () => {
  setup = await createTemporaryDatabase()
  ports = Object.assign(createTestPorts(), {
    openDatabase: () => ({ ...setup.database, close: () => undefined }),
    mailbox: undefined,
    gateways: {},
    assets: { get: async () => undefined },
    uploadLimit: 0,
    background: () => undefined,
  })
  await setup.database.write(tx =>
    tx.run(sql`
      insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
      values ('someone', 'someone@staff.test', 'Bola', 'Ade', '', 'admin', 1, 1, 1)`),
  )
  await setup.database.write(tx =>
    tx.run(sql`
      with recursive n (n) as (select 1 union all select n + 1 from n where n < ${ROWS})
      insert into certificates (id, certificate_number, student_name, course, graduation_date, grade, department,
        uploaded_at, updated_at, folded)
      select 'c' || n, 'UG/2031/' || n, 'Ada Obi', 'Law', '2031-07-07', 'Pass', 'Law', 1, 1, 'ug/2031/' || n from n`),
  )
})
afterEach(() => setup.remove())

let createdCount = 0

/** Creates a bulk edit of all certificates. @returns its sequence number */
async function editAll(): Promise<number> {
  return await setup.database.write(async tx => {
    const seq = await insertJob(tx, {
      id: `job${++createdCount}`,
      kind: 'bulk_edit',
      authorId: 'someone',
      ipAddress: '192.0.2.4',
      requestId: null,
      reason: 'Decided by the senate',
      set: { grade: GRADE },
      targetId: null,
      total: ROWS,
      idempotencyKey: null,
      requestHash: '',
      createdAt: ports.time,
    })
    await stageRows(tx, { seq, where: sql`withdrawn_at is null` })
    return seq
  })
}

/** Makes one upload the origin of all certificates. @returns its ID */
async function uploadAll(): Promise<string> {
  await setup.database.write(async tx => {
    await tx.run(sql`
      insert into uploads (seq, id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, total, created,
        recorded, created_at)
      values (1, 'upload', 'someone', 'someone@staff.test', 'register.csv', 0, 'fail', 'done', ${ROWS}, ${ROWS}, 1, 1)`)
    await tx.run(sql`update certificates set upload_seq = 1`)
  })
  return 'upload'
}

const revert = (targetId: string) =>
  setup.database.write(tx =>
    insertJob(tx, {
      id: `job${++createdCount}`,
      kind: 'upload_revert',
      authorId: 'someone',
      ipAddress: '192.0.2.4',
      requestId: null,
      reason: 'Wrong file',
      set: null,
      targetId,
      total: ROWS,
      idempotencyKey: null,
      requestHash: '',
      createdAt: ports.time,
    }),
  )

const readJob = (seq: number) => findJob(setup.database.read, { seq })

/** An account that cancels the job of another account. */
const OTHER_ACTOR = { userId: null, userEmail: 'other@staff.test', ipAddress: null, requestId: null }

/** Returns the newest entry of the activity log. */
const readLastEntry = async () =>
  (
    await setup.database.read.all(
      sql`select user_email as email, activity, details from activity_log order by id desc limit 1`,
    )
  )[0]

/** Returns the number of certificates by version and grade. */
const countStates = () =>
  setup.database.read.all<{ version: number; grade: string; total: number }>(
    sql`select version, grade, count(*) as total from certificates group by 1, 2 order by 1, 2`,
  )

it('a process that dies in any transaction never changes a certificate twice', {
  tags: ['REGISTER-15'],
}, async () => {
  const seq = await editAll()
  let transactions = 0
  // Each process dies one transaction later than the previous one, before the commit.
  for (let attempts = 1; (await readJob(seq))?.finishedAt === null; attempts++) {
    let remaining = attempts
    expect(attempts).toBeLessThan(20)
    const failingDatabase: Ports['openDatabase'] extends () => infer D ? D : never = {
      ...setup.database,
      close: () => undefined,
      write: work =>
        setup.database.write(async tx => {
          const result = await work(tx)
          transactions++
          if (--remaining <= 0) throw new TypeError('network: the process died')
          return result
        }),
    }
    await runRegisterJobs(ports, failingDatabase).catch(() => undefined)
    ports.time += LEASE_MS + 1
  }
  expect(transactions).toBeGreaterThan(4)
  expect(await readJob(seq)).toMatchObject({ processed: ROWS, changed: ROWS, skipped: 0 })
  expect(await countStates()).toEqual([{ version: 2, grade: GRADE, total: ROWS }])
  expect(await auditHistory(setup.database.read)).toEqual({ unaltered: ROWS, blanked: 0 })
})

it('a certificate that changes before its chunk is processed is skipped', {
  tags: ['REGISTER-14'],
}, async () => {
  const seq = await editAll()
  await setup.database.write(tx =>
    tx.run(sql`update certificates set grade = 'Merit', version = version + 1 where id = 'c3000'`),
  )
  await runRegisterJobs(ports, setup.database)
  expect(await readJob(seq)).toMatchObject({ state: 'done', changed: ROWS - 1, skipped: 1 })
  const [skipped] = await setup.database.read.all(
    sql`select certificate_number as number, reason from register_job_rows where status = 'skipped'`,
  )
  expect(skipped).toEqual({ number: 'UG/2031/3000', reason: 'Changed in the meantime' })
})

it('a cancelled job leaves the remaining rows unchanged', { tags: ['REGISTER-16'] }, async () => {
  const seq = await editAll()
  let chunks = 0
  const watched: typeof setup.database = {
    ...setup.database,
    write: async work => {
      const result = await setup.database.write(work)
      // The first two writes are the lease and the first chunk.
      const job = await readJob(seq)
      if (++chunks === 2 && job)
        await setup.database.write(tx =>
          endEarly(tx, job, { state: 'cancelled', actor: OTHER_ACTOR, at: ports.time }),
        )
      return result
    },
  }
  await runRegisterJobs(ports, watched)
  expect(await readJob(seq)).toMatchObject({ state: 'cancelled', processed: 2000, changed: 2000 })
  expect(await countStates()).toEqual([
    { version: 1, grade: 'Pass', total: ROWS - 2000 },
    { version: 2, grade: GRADE, total: 2000 },
  ])
  expect(await readLastEntry()).toEqual({
    email: OTHER_ACTOR.userEmail,
    activity: 'Bulk change cancelled',
    details: 'Bulk edit: 2,000 of 4,100 changed',
  })
})

it('a cancelled revert continues with the remaining rows when it is requested again', {
  tags: ['REGISTER-19'],
}, async () => {
  const target = await uploadAll()
  const first = await revert(target)
  let writes = 0
  const watched: typeof setup.database = {
    ...setup.database,
    write: async work => {
      const result = await setup.database.write(work)
      const job = await readJob(first)
      if (++writes === 2 && job)
        await setup.database.write(tx =>
          endEarly(tx, job, { state: 'cancelled', actor: OTHER_ACTOR, at: ports.time }),
        )
      return result
    },
  }
  await runRegisterJobs(ports, watched)
  expect(await readJob(first)).toMatchObject({ state: 'cancelled', changed: 2000 })
  const total = ROWS
  const preview = await previewRevert(setup.database.read, { id: target, uploadSeq: 1, total }, ports.time)
  expect(preview).toMatchObject({ to_delete: ROWS - 2000, to_restore: 0, unchanged: 2000, skipped: 0 })
  const second = await revert(target)
  await runRegisterJobs(ports, setup.database)
  expect(await readJob(second)).toMatchObject({
    state: 'done',
    processed: ROWS,
    changed: ROWS - 2000,
    unchanged: 2000,
    skipped: 0,
  })
  expect(await countStates()).toEqual([{ version: 2, grade: 'Pass', total: ROWS }])
})

it('a job that changes nothing is logged too', { tags: ['REGISTER-17'] }, async () => {
  await editAll()
  await editAll()
  await runRegisterJobs(ports, setup.database)
  await runRegisterJobs(ports, setup.database)
  expect(await readLastEntry()).toEqual({
    email: 'someone@staff.test',
    activity: 'Certificates changed in bulk',
    details: 'Bulk edit: 0 of 4,100 changed',
  })
})

it('a job waits while another one runs', { tags: ['REGISTER-22'] }, async () => {
  const first = await editAll()
  const second = await editAll()
  await setup.database.write(tx =>
    changeJob(tx, first, { state: 'running', leaseUntil: ports.time + 30_000 }),
  )
  await runRegisterJobs(ports, setup.database)
  expect(await readJob(second)).toMatchObject({ state: 'queued', processed: 0 })
  ports.time += 60_000
  // Each run has a time budget, so a slow machine needs several.
  while ((await runRegisterJobs(ports, setup.database)) > 0);
  expect(await readJob(first)).toMatchObject({ state: 'done', changed: ROWS })
  // The certificates no longer have the versions that the second job selected.
  expect(await readJob(second)).toMatchObject({ state: 'done', skipped: ROWS })
})

it('a process that is stopping leaves its job to the next process', async () => {
  const seq = await editAll()
  let writes = 0
  const stopping: typeof setup.database = {
    ...setup.database,
    write: async work => {
      if (++writes === 2) ports.end.abort()
      return await setup.database.write(work)
    },
  }
  await runRegisterJobs(ports, stopping)
  expect(await readJob(seq)).toMatchObject({ state: 'running', processed: 2000, leaseUntil: ports.time - 1 })
})
