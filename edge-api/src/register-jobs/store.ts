import type { RegisterJobKind, RegisterJobState } from '@portal/contract/register-jobs'
import { and, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { uploads } from '../db/schema/certificates.ts'
import { registerJobRows, registerJobs } from '../db/schema/register-jobs.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'
import { rowId } from '../uploads/row-keys.ts'

export type JobRow = typeof registerJobs.$inferSelect

/** A job with its author's email address (null once erased), and the file name of the upload that it reverts. */
export type JobView = JobRow & { authorEmail: string | null; filename: string | null }

/** How long a job is leased to one process, in milliseconds. Afterwards, another process continues it. */
export const LEASE_MS = 60_000

const selectJobs = (db: Reader) =>
  db
    .select({ job: registerJobs, authorEmail: users.email, filename: uploads.filename })
    .from(registerJobs)
    .leftJoin(users, eq(users.id, registerJobs.authorId))
    .leftJoin(uploads, eq(uploads.id, registerJobs.targetId))

type JobWithNames = { job: JobRow; authorEmail: string | null; filename: string | null }

const toJobView = ({ job, ...joinedColumns }: JobWithNames): JobView => ({ ...job, ...joinedColumns })

export async function findJob(
  db: Reader,
  where: { id: string } | { seq: number },
): Promise<JobView | undefined> {
  const condition = 'id' in where ? eq(registerJobs.id, where.id) : eq(registerJobs.seq, where.seq)
  const [row] = await selectJobs(db).where(condition).limit(1)
  return row && toJobView(row)
}

/** Finds the job that a caller created with an idempotency key. */
export async function findJobByKey(
  db: Reader,
  { authorId, key }: { authorId: string; key: string },
): Promise<JobView | undefined> {
  const [row] = await selectJobs(db)
    .where(and(eq(registerJobs.authorId, authorId), eq(registerJobs.idempotencyKey, key)))
    .limit(1)
  return row && toJobView(row)
}

/** Returns one page of the jobs, newest first. */
export async function listJobs(
  db: Reader,
  {
    kind,
    state,
    page,
    perPage,
  }: {
    kind: RegisterJobKind | undefined
    state: RegisterJobState | undefined
    page: number
    perPage: number
  },
): Promise<{ rows: JobView[]; total: number }> {
  const where = and(kind && eq(registerJobs.kind, kind), state && eq(registerJobs.state, state))
  const rows = await selectJobs(db)
    .where(where)
    .orderBy(desc(registerJobs.seq))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(registerJobs).where(where)
  return { rows: rows.map(toJobView), total: counted?.total ?? 0 }
}

type NewJob = Pick<
  JobRow,
  | 'id'
  | 'kind'
  | 'authorId'
  | 'ipAddress'
  | 'requestId'
  | 'reason'
  | 'set'
  | 'targetId'
  | 'total'
  | 'idempotencyKey'
  | 'requestHash'
  | 'createdAt'
>

/** Stores a job. @throws the driver's unique violation if the target already has a revert */
export async function insertJob(db: Tx, job: NewJob): Promise<number> {
  const [row] = await db
    .insert(registerJobs)
    .values({ ...job, state: 'queued', leaseUntil: job.createdAt })
    .returning({ seq: registerJobs.seq })
  if (!row) throw new Error('the insert returned no row')
  return row.seq
}

export async function changeJob(db: Tx, seq: number, change: Partial<JobRow>): Promise<void> {
  await db.update(registerJobs).set(change).where(eq(registerJobs.seq, seq))
}

/** Returns the next job to run, the oldest one that is not deferred; empty while another job is running. */
export async function listNext(db: Reader, { now }: { now: number }): Promise<JobRow[]> {
  const isAnotherRunning = sql`exists (select 1 from register_jobs as other where other.lease_until > ${now}
    and other.lease_until <= ${now + LEASE_MS + MAX_CLOCK_SKEW_MS} and other.state = 'running')`
  return await db
    .select()
    .from(registerJobs)
    .where(
      and(
        isNotNull(registerJobs.leaseUntil),
        isNotDeferred('register_jobs', registerJobs.id, now),
        sql`not ${isAnotherRunning}`,
      ),
    )
    .orderBy(registerJobs.seq)
    .limit(1)
}

/** Leases a job to this process. @returns false if another process has leased it */
export async function claimJob(
  db: Tx,
  { seq, leaseUntil }: Pick<JobRow, 'seq' | 'leaseUntil'>,
  until: number,
): Promise<boolean> {
  const result = await db
    .update(registerJobs)
    .set({ leaseUntil: until, state: 'running' })
    .where(and(eq(registerJobs.seq, seq), sql`${registerJobs.leaseUntil} is ${leaseUntil}`))
  return result.rowsAffected === 1
}

/** Stores the certificates that a condition selects as rows of a job, with their versions. @returns their number */
export async function stageRows(db: Tx, { seq, where }: { seq: number; where: SQL }): Promise<number> {
  const staged = await db.run(sql`
    insert into register_job_rows (id, certificate_seq, certificate_number, version)
    select ${rowId(seq, 0)} + row_number() over (order by seq), seq, certificate_number, version
    from certificates where ${where}`)
  return staged.rowsAffected
}

export type StagedRow = typeof registerJobRows.$inferSelect

/** Lists the rows of a job in order, after a position. */
export async function listRows(
  db: Reader,
  { seq, after, limit }: { seq: number; after: number; limit: number },
): Promise<StagedRow[]> {
  return await db
    .select()
    .from(registerJobRows)
    .where(sql`${registerJobRows.id} > ${rowId(seq, after)} and ${registerJobRows.id} < ${rowId(seq + 1, 0)}`)
    .orderBy(registerJobRows.id)
    .limit(limit)
}

/** Stores the outcomes of rows, whether or not the rows were staged before. */
export async function storeResults(db: Tx, rows: readonly StagedRow[]): Promise<void> {
  const list = rows.map(row => [
    row.id,
    row.certificateSeq,
    row.certificateNumber,
    row.version,
    row.action,
    row.status,
    row.reason,
  ])
  await db.run(sql`
    insert into register_job_rows (id, certificate_seq, certificate_number, version, action, status, reason)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
    from json_each(${JSON.stringify(list)}) where true
    on conflict (id) do update set action = excluded.action, status = excluded.status, reason = excluded.reason`)
}
