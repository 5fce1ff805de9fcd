import type { RegisterJob, RegisterJobKind, registerJobs } from '@portal/contract/register-jobs'
import { paginate } from '@portal/contract/shapes'
import { registerJobMessages } from '@portal/rules/messages'
import { requireOwnPassword } from '../accounts/own-password.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { sha256Hex } from '../digest.ts'
import { displayEmail } from '../erased.ts'
import { Fault } from '../fault.ts'
import { afterResponse } from '../http/after-response.ts'
import { createCsvResponse } from '../http/csv.ts'
import { emptyStream } from '../http/head.ts'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { findReverts, type Revert } from '../uploads/reverts-store.ts'
import { iso, isoOrNull } from '../wire.ts'
import { readReportRows, reportHeaders } from './report.ts'
import { previewRevert } from './revert-preview-store.ts'
import { isRevert } from './rules.ts'
import { endEarly, runRegisterJobs } from './run.ts'
import { countSelected, type JobBody, parseSelection, previewSelected } from './selection-store.ts'
import { findJob, findJobByKey, insertJob, type JobView, listJobs, stageRows } from './store.ts'
import { requireTarget, type Target } from './target.ts'

type Domain = typeof registerJobs
type CreateCall = Call<Domain['create']>

const isRevertible = ({ kind, state, changed }: JobView) =>
  !isRevert(kind) && (state === 'done' || state === 'cancelled') && changed > 0

function toRegisterJob(job: JobView, revert: Revert | undefined): RegisterJob {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    author_email: displayEmail(job.authorEmail),
    reason: job.reason,
    set: job.set as RegisterJob['set'],
    upload:
      job.kind === 'upload_revert' && job.targetId !== null
        ? { id: job.targetId, filename: job.filename ?? '' }
        : null,
    job_id: job.kind === 'job_revert' ? job.targetId : null,
    total: job.total,
    processed: job.processed,
    changed: job.changed,
    unchanged: job.unchanged,
    skipped: job.skipped,
    error: job.error,
    created_at: iso(job.createdAt),
    started_at: isoOrNull(job.startedAt),
    finished_at: isoOrNull(job.finishedAt),
    revertible: isRevertible(job) && !revert,
    reverted_by: revert ? displayEmail(revert.authorEmail) : null,
    reverted_at: isoOrNull(revert?.finishedAt ?? null),
  }
}

async function toRegisterJobs(db: Reader, jobs: readonly JobView[]): Promise<RegisterJob[]> {
  const reverts = await findReverts(db, { targetIds: jobs.map(({ id }) => id) })
  return jobs.map(job => toRegisterJob(job, reverts.get(job.id)))
}

async function requireJob(db: Reader, id: string): Promise<JobView> {
  const job = await findJob(db, { id })
  if (!job) throw new Fault('NOT_FOUND', { message: registerJobMessages.noJob })
  return job
}

async function readRegisterJob(db: Reader, id: string): Promise<RegisterJob> {
  const job = await requireJob(db, id)
  const [reply] = await toRegisterJobs(db, [job])
  if (!reply) throw new Error('a job has disappeared')
  return reply
}

/** Requires a super admin for deletions. @throws Fault `FORBIDDEN` */
function requireRole(kind: RegisterJobKind, { role }: CreateCall['user']): void {
  if (kind === 'bulk_delete' && role !== 'super_admin') throw new Fault('FORBIDDEN')
}

async function buildPreview(db: Reader, body: JobBody, user: CreateCall['user'], now: number) {
  const selection = parseSelection(body)
  if (selection) return await previewSelected(db, selection, now)
  return await previewRevert(db, await requireTarget(db, body, user), now)
}

const messages: Record<RegisterJobKind, string> = {
  bulk_edit: registerJobMessages.editing,
  bulk_delete: registerJobMessages.deleting,
  bulk_restore: registerJobMessages.restoring,
  upload_revert: registerJobMessages.revertingUpload,
  job_revert: registerJobMessages.revertingJob,
}

/** Requires that a selection is still as large as the caller saw. @throws Fault `COUNT_CHANGED` */
function requireCount(expected: number | undefined, count: number): void {
  if (expected !== undefined && expected !== count) throw new Fault('COUNT_CHANGED')
}

async function insertRequestedJob(
  tx: Tx,
  call: CreateCall,
  idempotency: { key: string | undefined; requestHash: string },
) {
  const { body, user, ports, address, requestId } = call
  const selection = parseSelection(body)
  const target: Target | undefined = selection ? undefined : await requireTarget(tx, body, user)
  const total = selection ? await countSelected(tx, selection) : (target?.total ?? 0)
  requireCount(body.expected_count, total)
  const id = crypto.randomUUID()
  const seq = await insertJob(tx, {
    id,
    kind: body.kind,
    authorId: user.id,
    ipAddress: address,
    requestId,
    reason: body.reason,
    set: selection?.kind === 'bulk_edit' ? selection.set : null,
    targetId: target?.id ?? null,
    total,
    idempotencyKey: idempotency.key ?? null,
    requestHash: idempotency.requestHash,
    createdAt: ports.clock.now(),
  })
  if (selection) await stageRows(tx, { seq, where: selection.where })
  return id
}

/** Rejects the second of two reverts that are requested in parallel: the unique index on targets refuses it. */
async function refuseSecondRevert<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new Fault('ALREADY_REVERTED', { cause: error })
    throw error
  }
}

async function createJob(db: Database, call: CreateCall): Promise<{ id: string; replayed: boolean }> {
  const key = idempotencyKeyOf(call)
  const { current_password: _, ...hashedBody } = call.body
  const requestHash = sha256Hex(JSON.stringify(hashedBody))
  const insertNewJob = (tx: Tx) => insertRequestedJob(tx, call, { key, requestHash })
  const authorId = call.user.id
  return await refuseSecondRevert(
    db.write(async tx => {
      const existing = key === undefined ? undefined : await findJobByKey(tx, { authorId, key })
      if (existing && existing.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
      return existing ? { id: existing.id, replayed: true } : { id: await insertNewJob(tx), replayed: false }
    }),
  )
}

export const registerJobHandlers: HandlersOf<Domain> = {
  preview: async ({ db, body, user, ports }) => {
    requireRole(body.kind, user)
    return await buildPreview(db.read, body, user, ports.clock.now())
  },

  create: async call => {
    const { body, user, db, ports } = call
    requireRole(body.kind, user)
    if (body.current_password !== undefined) await requireOwnPassword(call, body.current_password)
    const { id, replayed } = await createJob(db, call)
    if (replayed) markReplayed(call)
    afterResponse(ports, 'register_jobs_failed', async database => {
      await runRegisterJobs(ports, database)
    })
    return { message: messages[body.kind], job: await readRegisterJob(db.read, id) }
  },

  list: async ({ db: { read: db }, query }) => {
    const { page, per_page: perPage, kind, state } = query
    const { rows, total } = await listJobs(db, { kind, state, page, perPage })
    return { jobs: await toRegisterJobs(db, rows), pagination: paginate(page, perPage, total) }
  },

  read: async ({ db, params }) => ({ job: await readRegisterJob(db.read, params.id) }),

  cancel: async call => {
    const { db, params, ports, user } = call
    const canceller = {
      userId: user.id,
      userEmail: user.email,
      ipAddress: call.address,
      requestId: call.requestId,
    }
    const wasOpen = await db.write(async tx => {
      const job = await requireJob(tx, params.id)
      if (job.leaseUntil === null) return false
      // A running job reads its state at the beginning of each transaction, so it changes nothing after this.
      await endEarly(tx, job, { state: 'cancelled', actor: canceller, at: ports.clock.now() })
      return true
    })
    return {
      message: wasOpen ? registerJobMessages.cancelled : registerJobMessages.ended,
      job: await readRegisterJob(db.read, params.id),
    }
  },

  report: async ({ db, params, ports, requestId, isHead }) => {
    const { seq } = await requireJob(db.read, params.id)
    const now = ports.clock.now()
    if (isHead) return new Response(emptyStream(), { headers: reportHeaders(now) })
    const database = ports.openDatabase()
    const response = await createCsvResponse(
      {
        title: 'Job report',
        file: 'register_job_report',
        columns: ['certificate_number', 'action', 'status', 'reason'],
      },
      readReportRows(database.read, seq),
      {
        now,
        onEnd: () => database.close(),
        onError: () => ports.log({ level: 'error', event: 'register_job_report', request_id: requestId }),
      },
    )
    return new Response(response.body, { headers: response.headers })
  },
}
