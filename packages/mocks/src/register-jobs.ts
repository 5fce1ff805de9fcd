import type { RegisterJob, RegisterJobKind, registerJobs as routes } from '@portal/contract/register-jobs'
import { csvLine } from '@portal/format/csv'
import { toIsoDate } from '@portal/format/dates'
import { jobFinishedNotice } from '@portal/format/job-notices'
import { accountMessages, registerJobMessages } from '@portal/rules/messages'
import { HttpResponse } from 'msw'
import { Fault } from './fault.ts'
import { recordChange } from './history.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newId } from './ids.ts'
import { notify, notifyLetterHolders } from './notify.ts'
import { paginateRows } from './paginate-rows.ts'
import {
  applyStep,
  buildPreview,
  countCertificates,
  isRevert,
  type JobBody,
  stepsOf,
} from './register-job-steps.ts'
import type { MockJob } from './register-types.ts'
import type { Call, HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

/* Jobs of the mocked API. A job is completed as soon as it is created, but the reply shows it as queued. */

const startedMessages: Record<RegisterJobKind, string> = {
  bulk_edit: registerJobMessages.editing,
  bulk_delete: registerJobMessages.deleting,
  bulk_restore: registerJobMessages.restoring,
  upload_revert: registerJobMessages.revertingUpload,
  job_revert: registerJobMessages.revertingJob,
}

const titles: Record<RegisterJobKind, string> = {
  bulk_edit: 'Bulk edit',
  bulk_delete: 'Bulk deletion',
  bulk_restore: 'Bulk restoration',
  upload_revert: 'Revert of an upload',
  job_revert: 'Revert of a bulk change',
}

function requireCanDelete({ kind }: JobBody, { role }: MockUser): void {
  if (kind === 'bulk_delete' && role !== 'super_admin') throw new Fault('FORBIDDEN')
}

function runJob(call: Call<typeof routes.create>): MockJob {
  const { state, user, now, body } = call
  const steps = stepsOf(state, body, user)
  const total = countCertificates(state, body, steps)
  if (body.expected_count !== undefined && body.expected_count !== total) throw new Fault('COUNT_CHANGED')
  const id = newId()
  const upload = state.uploads.find(item => item.id === body.upload_id)
  const source = {
    kind: isRevert(body.kind) ? 'revert' : (body.kind as 'bulk_edit' | 'bulk_delete' | 'bulk_restore'),
    id,
    label: upload?.filename ?? null,
  } as const
  notifyLetterHolders(state, now, () => {
    for (const step of steps) {
      const { certificate, action, changes } = step
      if (action === null) continue
      applyStep(state, step, call)
      const { id: recordId, certificate_number: label, version } = certificate
      recordChange(call, {
        kind: 'certificate',
        id: recordId,
        label,
        version,
        action,
        changes,
        source,
        reason: body.reason,
      })
    }
  })
  const changed = steps.filter(({ action }) => action !== null).length
  const skipped = steps.filter(({ reason }) => reason !== undefined).length + total - steps.length
  const at = now.toISOString()
  const job: MockJob = {
    id,
    kind: body.kind,
    state: 'done',
    author_email: user.email,
    reason: body.reason,
    set: body.set ? (JSON.parse(JSON.stringify(body.set)) as RegisterJob['set']) : null,
    upload: upload ? { id: upload.id, filename: upload.filename } : null,
    job_id: body.job_id ?? null,
    total,
    processed: total,
    changed,
    unchanged: total - changed - skipped,
    skipped,
    error: null,
    created_at: at,
    started_at: at,
    finished_at: at,
    revertible: !isRevert(body.kind) && changed > 0,
    reverted_by: null,
    reverted_at: null,
    rows: steps.map(({ certificate, action, reason }) => [
      certificate.certificate_number,
      action,
      action ? 'changed' : reason === undefined ? 'unchanged' : 'skipped',
      reason ?? null,
    ]),
  }
  const target = upload ?? state.jobs?.find(item => item.id === body.job_id)
  if (target) Object.assign(target, { revertible: false, reverted_by: user.email, reverted_at: at })
  state.jobs = [job, ...(state.jobs ?? [])]
  notify(state, user.id, jobFinishedNotice(titles[job.kind], job), 'history', now)
  return job
}

function jobOrFail(state: MockState, id: string): MockJob {
  const job = state.jobs?.find(item => item.id === id)
  if (!job) throw new Fault('NOT_FOUND', undefined, registerJobMessages.noJob)
  return job
}

const jobReply = ({ rows: _, ...job }: MockJob): RegisterJob => job

/** Returns a new job as it was before it started. */
const asQueued = (job: MockJob): RegisterJob => ({
  ...jobReply(job),
  state: 'queued',
  processed: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  started_at: null,
  finished_at: null,
  revertible: false,
})

export const registerJobs: HandlersOf<typeof routes> = {
  preview({ state, body, user }) {
    requireCanDelete(body, user)
    return buildPreview(state, body, stepsOf(state, body, user))
  },
  create(call) {
    const { state, user, body } = call
    requireCanDelete(body, user)
    requireValidKey(call)
    if (body.current_password !== undefined && body.current_password !== user.password)
      throw new Fault('INVALID_CURRENT_PASSWORD', {
        current_password: accountMessages.wrongOwnPassword,
      })
    const { current_password: _, ...request } = body
    const earlierId = findIdByIdempotencyKey(call, JSON.stringify(request))
    const job = earlierId === undefined ? runJob(call) : jobOrFail(state, earlierId)
    storeIdempotencyKey(call, JSON.stringify(request), job.id)
    return { message: startedMessages[job.kind], job: asQueued(job) }
  },
  list({ state, query }) {
    const found = (state.jobs ?? []).filter(
      item =>
        (query.kind === undefined || item.kind === query.kind) &&
        (query.state === undefined || item.state === query.state),
    )
    const { rows, pagination } = paginateRows(found, query)
    return { jobs: rows.map(jobReply), pagination }
  },
  read: ({ state, params }) => ({ job: jobReply(jobOrFail(state, params.id)) }),
  cancel: ({ state, params }) => ({
    message: registerJobMessages.ended,
    job: jobReply(jobOrFail(state, params.id)),
  }),
  report({ state, params, now }) {
    const { rows } = jobOrFail(state, params.id)
    const lines = [['certificate_number', 'action', 'status', 'reason'], ...rows].map(row => csvLine(row))
    return new HttpResponse(lines.join(''), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="register_job_report_${toIsoDate(now)}.csv"`,
      },
    })
  },
}
