import { jobFailedNotice, jobFinishedNotice } from '@portal/format/job-notices'
import { formatCount } from '@portal/format/numbers'
import { valuesOf } from '../certificates/values.ts'
import type { Database, Tx } from '../db/database.ts'
import { isBusy, isUnreachable } from '../db/errors.ts'
import { withLongLog } from '../db/long-log.ts'
import { Fault } from '../fault.ts'
import { diffFields } from '../history/fields.ts'
import { notifyHoldersSoon } from '../letter-holders/status-changes.ts'
import { recordLogEntry } from '../logs/store.ts'
import { linkToJob } from '../notifications/links.ts'
import { notify } from '../notifications/store.ts'
import type { Ports } from '../ports.ts'
import { runQueue, SKIPPED } from '../queues/run-queue.ts'
import { yieldToOthers } from '../queues/yield-to-others.ts'
import { rowId } from '../uploads/row-keys.ts'
import { findUpload } from '../uploads/store.ts'
import { applySteps, findCertificatesBySeq, type Step } from './apply-store.ts'
import { findUnrestorable, NOT_IN_REGISTER } from './restorable-store.ts'
import { planRevert, type RevertItem } from './revert-store.ts'
import { isRevert, kindNames, toSourceKind } from './rules.ts'
import {
  changeJob,
  claimJob,
  findJob,
  type JobRow,
  type JobView,
  LEASE_MS,
  listNext,
  listRows,
  type StagedRow,
  storeResults,
} from './store.ts'

/** Number of rows per transaction, for which other writes wait 40 to 200 ms. */
const CHUNK_SIZE = 2000

/** A row of a job, with its change or the reason to skip it. */
interface PlannedRow {
  row: StagedRow
  step?: Step | undefined
  /** Why the row is skipped; undefined if it is changed, or left as it is. */
  reason?: string | undefined
}

const toStagedRow = (job: JobRow, position: number, item: RevertItem): StagedRow => ({
  id: rowId(job.seq, position),
  certificateSeq: item.certificateSeq,
  certificateNumber: item.certificateNumber,
  version: item.version,
  action: null,
  status: null,
  reason: null,
})

/** Plans the next rows of a job with a selection. */
async function planSelected(tx: Tx, job: JobRow): Promise<PlannedRow[]> {
  const rows = await listRows(tx, { seq: job.seq, after: job.processed, limit: CHUNK_SIZE })
  const certificates = await findCertificatesBySeq(
    tx,
    rows.map(({ certificateSeq }) => certificateSeq),
  )
  return rows.map((row): PlannedRow => {
    const certificate = certificates.get(row.certificateSeq)
    if (!certificate) return { row, reason: NOT_IN_REGISTER }
    if (certificate.version !== row.version) return { row, reason: 'Changed in the meantime' }
    if (job.kind === 'bulk_delete') return { row, step: { row: certificate, action: 'deleted' } }
    if (job.kind === 'bulk_restore') return { row, step: { row: certificate, action: 'restored' } }
    const fields = diffFields(valuesOf(certificate), job.set ?? {})
    return fields.length > 0 ? { row, step: { row: certificate, action: 'updated', fields } } : { row }
  })
}

/** Plans the next rows of a job. @returns the rows, and the changes of the job that move its cursor past them */
async function planRows(tx: Tx, job: JobView): Promise<{ planned: PlannedRow[]; cursor: Partial<JobRow> }> {
  if (!isRevert(job.kind)) return { planned: await planSelected(tx, job), cursor: {} }
  const id = job.targetId ?? ''
  const upload = job.kind === 'upload_revert' ? await findUpload(tx, { id }) : undefined
  const { items, cursor } = await planRevert(
    tx,
    { id, uploadSeq: upload?.seq ?? null },
    { cursor: { added: job.cursorAdded, change: job.cursorChange }, limit: CHUNK_SIZE },
  )
  const planned = items.map((item, index) => ({
    row: toStagedRow(job, job.processed + index + 1, item),
    step: item.step,
    reason: item.reason,
  }))
  return { planned, cursor: { cursorAdded: cursor.added, cursorChange: cursor.change } }
}

/**
 * Marks certificates to be skipped if they cannot be restored, because the deadline has passed or the number is in use again.
 */
async function skipUnrestorable(tx: Tx, planned: readonly PlannedRow[], at: number): Promise<PlannedRow[]> {
  const rowsToRestore = planned.flatMap(({ step }) => (step?.action === 'restored' ? [step.row] : []))
  const refusedSeqs = await findUnrestorable(tx, rowsToRestore, at)
  return planned.map(item => {
    const reason = item.step?.action === 'restored' ? refusedSeqs.get(item.step.row.seq) : undefined
    return reason === undefined ? item : { row: item.row, reason }
  })
}

/**
 * Processes the next rows of a job, and moves its cursor in the same transaction. If the process dies, the rows are either all
 * processed or all unprocessed.
 */
async function runChunk(tx: Tx, job: JobView, at: number): Promise<JobView> {
  const { planned: all, cursor } = await planRows(tx, job)
  const planned = await skipUnrestorable(tx, all, at)
  const actions = await applySteps(
    tx,
    planned.flatMap(({ step }) => (step ? [step] : [])),
    {
      origin: {
        actor: { id: job.authorId, email: job.authorEmail ?? '' },
        source: { kind: toSourceKind(job.kind), id: job.id, label: job.filename },
        reason: job.reason,
        ipAddress: job.ipAddress,
        requestId: job.requestId,
        at,
      },
      activity: kindNames[job.kind].activity,
      subject: job.filename ?? '',
    },
  )
  await storeResults(
    tx,
    planned.map(({ row, step, reason }) => ({
      ...row,
      action: step ? (actions.get(step.row.id) ?? null) : null,
      status: step ? 'changed' : reason === undefined ? 'unchanged' : 'skipped',
      reason: reason ?? null,
    })),
  )
  const skipped = planned.filter(({ reason }) => reason !== undefined).length
  const isLastChunk = planned.length < CHUNK_SIZE && (planned.length === 0 || !isRevert(job.kind))
  const processed = job.processed + planned.length
  // Certificates that were purged since the upload have no rows any more.
  const missing = isLastChunk ? job.total - processed : 0
  const change = {
    ...cursor,
    startedAt: job.startedAt,
    processed: processed + missing,
    changed: job.changed + actions.size,
    unchanged: job.unchanged + planned.length - actions.size - skipped,
    skipped: job.skipped + skipped + missing,
    ...(isLastChunk
      ? { state: 'done' as const, finishedAt: at, leaseUntil: null }
      : { leaseUntil: at + LEASE_MS }),
  }
  await changeJob(tx, job.seq, change)
  return { ...job, ...change }
}

/** Notifies the author of a job that it has ended. */
const notifyAuthor = (tx: Tx, job: JobView, at: number) =>
  notify(tx, {
    ...(job.state === 'failed'
      ? jobFailedNotice(kindNames[job.kind].title)
      : jobFinishedNotice(kindNames[job.kind].title, job)),
    userId: job.authorId,
    link: linkToJob(job.id),
    at,
  })

/** The person who acts on a job, as recorded in the activity log. */
type Actor = Pick<Parameters<typeof recordLogEntry>[1], 'userId' | 'userEmail' | 'ipAddress' | 'requestId'>

const authorOf = ({ authorId, authorEmail, ipAddress, requestId }: JobView): Actor => ({
  userId: authorId,
  userEmail: authorEmail,
  ipAddress,
  requestId,
})

/** Ends a job before all its rows have been processed. If a transaction of the job is in progress, it is the last one. */
export async function endEarly(
  tx: Tx,
  job: JobView,
  {
    state,
    error = null,
    actor = authorOf(job),
    at,
  }: { state: 'cancelled' | 'failed'; error?: string | null; actor?: Actor; at: number },
): Promise<JobView> {
  const change = { state, error, finishedAt: at, leaseUntil: null }
  await changeJob(tx, job.seq, change)
  await recordLogEntry(tx, {
    ...actor,
    activity: `Bulk change ${state}`,
    details: `${kindNames[job.kind].title}: ${formatCount(job.changed)} of ${formatCount(job.total)} changed`,
    at,
  })
  const ended = { ...job, ...change }
  await notifyAuthor(tx, ended, at)
  return ended
}

/** Adds a log entry for a job that changed nothing. All other jobs are logged with the history of their changes. */
async function recordUnchanged(tx: Tx, job: JobView, at: number): Promise<void> {
  const { activity, title } = kindNames[job.kind]
  await recordLogEntry(tx, {
    ...authorOf(job),
    activity,
    details: `${job.filename ?? title}: 0 of ${formatCount(job.total)} changed`,
    at,
  })
}

/** Runs one transaction of a job. @returns the job afterwards */
async function advance(tx: Tx, seq: number, at: number): Promise<JobView> {
  const before = await requireJob(tx, seq)
  if (before.state !== 'running') return before
  const after = await runChunk(tx, { ...before, startedAt: before.startedAt ?? at }, at)
  if (after.state === 'done') {
    if (after.changed === 0) await recordUnchanged(tx, after, at)
    await notifyAuthor(tx, after, at)
  }
  return after
}

async function requireJob(tx: Tx, seq: number): Promise<JobView> {
  const job = await findJob(tx, { seq })
  if (!job) throw new Error('a job has disappeared')
  return job
}

/** True for an error that a retry may overcome, so that the job does not fail. */
const isTransient = (error: unknown) =>
  isBusy(error) || isUnreachable(error) || (error instanceof Fault && error.code === 'DATABASE_UNAVAILABLE')

async function runJob(ports: Ports, db: Database, seq: number): Promise<void> {
  for (;;) {
    try {
      const job = await db.write(tx => advance(tx, seq, ports.clock.now()))
      if (job.leaseUntil === null) return notifyHoldersSoon(ports)
    } catch (error) {
      if (isTransient(error)) throw error
      const cause = error instanceof Error ? error.name : 'unknown'
      ports.log({ level: 'error', event: 'register_job_failed', item: String(seq), cause })
      await db.write(async tx =>
        endEarly(tx, await requireJob(tx, seq), {
          state: 'failed',
          error: `An unexpected error (${cause}). Certificates changed so far stay changed.`,
          at: ports.clock.now(),
        }),
      )
      return
    }
    if (ports.stopping.aborted) {
      await db.write(tx => changeJob(tx, seq, { leaseUntil: ports.clock.now() - 1 }))
      return
    }
    await yieldToOthers()
  }
}

/** Runs waiting jobs one after the other, and continues a job whose process has died. */
export async function runRegisterJobs(ports: Ports, db: Database): Promise<number> {
  if (ports.stopping.aborted) return 0
  return await runQueue(ports, db, {
    name: 'register_jobs',
    listDue: ({ now }) => listNext(db.read, { now }),
    idOf: ({ id }) => id,
    async processItem(job) {
      const leaseUntil = ports.clock.now() + LEASE_MS
      if (!(await db.write(tx => claimJob(tx, job, leaseUntil)))) return SKIPPED
      try {
        await withLongLog(db, () => runJob(ports, db, job.seq))
      } catch (error) {
        // Ends the lease, so that the next job need not wait. The job is now deferred, which sets the time of its next attempt.
        await db
          .write(tx => changeJob(tx, job.seq, { leaseUntil: ports.clock.now() - 1 }))
          .catch(() => undefined)
        throw error
      }
      return undefined
    },
  })
}
