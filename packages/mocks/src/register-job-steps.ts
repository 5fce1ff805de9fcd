import type { Change, ChangeAction } from '@portal/contract/history'
import { isOnLetters } from '@portal/contract/letter'
import {
  JOB_LIMITS,
  type RegisterJobKind,
  type registerJobs as routes,
  SAMPLE_ROWS,
} from '@portal/contract/register-jobs'
import type { Certificate } from '@portal/contract/shapes'
import { formatCount } from '@portal/format/numbers'
import { registerJobMessages } from '@portal/rules/messages'
import { issuedLettersOf } from './certificate-detail.ts'
import { Fault, invalidField } from './fault.ts'
import { changesOf, fieldChanges } from './history.ts'
import { certificatesIn, matchesFilters } from './register-list.ts'
import type { Call } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

export type JobBody = Call<typeof routes.preview>['body']

/** A certificate, and what a job does to it; `action` is null if the job does not change it. */
export interface Step {
  certificate: Certificate
  action: ChangeAction | null
  changes: Change['changes']
  /** Why the certificate is skipped. */
  reason?: string
}

export const isRevert = (kind: RegisterJobKind) => kind === 'upload_revert' || kind === 'job_revert'

function listSelected(state: MockState, { kind, selection }: JobBody): Certificate[] {
  const registerState = kind === 'bulk_restore' ? 'deleted' : 'current'
  if (selection === undefined) return []
  const all = certificatesIn(state, { search: '', state: registerState })
  if ('ids' in selection) return all.filter(({ id }) => selection.ids.includes(id))
  const { filter } = selection
  if (filter.state !== undefined && filter.state !== registerState)
    throw invalidField('selection', `This change only applies to ${registerState} certificates.`)
  return all.filter(item => matchesFilters(state, item, { ...filter, state: registerState }))
}

const hasLetters = (state: MockState, { certificate_number }: Certificate) =>
  issuedLettersOf(state, certificate_number).length > 0

function stepOf(state: MockState, certificate: Certificate, { kind, set }: JobBody): Step {
  if (kind === 'bulk_delete') {
    return { certificate, action: hasLetters(state, certificate) ? 'withdrawn' : 'deleted', changes: [] }
  }
  if (kind === 'bulk_restore') return { certificate, action: 'restored', changes: [] }
  const changes = fieldChanges({ ...certificate }, (set ?? {}) as Record<string, string>)
  return { certificate, action: changes.length > 0 ? 'updated' : null, changes }
}

const reverseChanges = (changes: Change['changes']) =>
  changes.map(({ field, from, to }) => ({ field, from: to, to: from }))

const oppositeActions: Partial<Record<ChangeAction, ChangeAction>> = {
  created: 'deleted',
  updated: 'updated',
  deleted: 'restored',
  withdrawn: 'restored',
  restored: 'deleted',
}

/** Returns the steps that revert an upload or bulk change. Certificates that have changed since are skipped. */
function buildRevertSteps(state: MockState, { kind, upload_id, job_id }: JobBody): Step[] {
  const source = upload_id ?? job_id ?? ''
  const knownCertificates = [...state.certificates, ...(state.deleted ?? []).map(item => item.certificate)]
  return knownCertificates.flatMap((certificate): Step[] => {
    const [newest, ...older] = changesOf(state, 'certificate', certificate.id)
    const change = [newest, ...older].find(
      item => item?.source.id === source && item.source.kind !== 'revert',
    )
    if (!change) return []
    const action = oppositeActions[change.action] ?? null
    if (change === newest) return [{ certificate, action, changes: reverseChanges(change.changes) }]
    const sourceName = kind === 'upload_revert' ? 'upload' : 'bulk change'
    return [{ certificate, action: null, changes: [], reason: `Changed since the ${sourceName}` }]
  })
}

function requireRevertible(state: MockState, body: JobBody, user: MockUser): void {
  const job = state.jobs?.find(({ id }) => id === body.job_id)
  const upload = state.uploads.find(({ id }) => id === body.upload_id)
  const source = body.kind === 'upload_revert' ? upload : job
  if (!source)
    throw body.kind === 'upload_revert'
      ? invalidField('upload_id', registerJobMessages.noUpload)
      : invalidField('job_id', registerJobMessages.noJob)
  const author = upload ? upload.uploader_email : job?.author_email
  if (author !== user.email && user.role !== 'super_admin') throw new Fault('FORBIDDEN')
  if (source.reverted_by !== null) throw new Fault('ALREADY_REVERTED')
  if (!source.revertible) throw new Fault('NOT_REVERTIBLE')
}

/**
 * Turns restorations into skipped steps if the certificate number is in use again. Of two deleted certificates with the same
 * number, only the older one is restored.
 */
function skipTakenNumbers(state: MockState, steps: readonly Step[]): Step[] {
  const taken = new Set(state.certificates.map(certificate => certificate.certificate_number))
  const refusedSteps = new Set<Step>()
  const restoreSteps = steps.filter(({ action }) => action === 'restored')
  for (const step of restoreSteps.toSorted((a, b) =>
    a.certificate.uploaded_at.localeCompare(b.certificate.uploaded_at),
  )) {
    const { certificate_number: number } = step.certificate
    if (taken.has(number)) refusedSteps.add(step)
    taken.add(number)
  }
  return steps.map(step =>
    refusedSteps.has(step)
      ? { ...step, action: null, changes: [], reason: registerJobMessages.numberInUse }
      : step,
  )
}

/**
 * Returns the steps of a job.
 * @throws the same Fault as the API
 */
export function stepsOf(state: MockState, body: JobBody, user: MockUser): Step[] {
  if (isRevert(body.kind)) {
    requireRevertible(state, body, user)
    return skipTakenNumbers(state, buildRevertSteps(state, body))
  }
  const selected = listSelected(state, body)
  const limit = JOB_LIMITS[body.kind as keyof typeof JOB_LIMITS]
  if (selected.length > limit)
    throw invalidField(
      'selection',
      `More than ${formatCount(limit)} certificates match. Please narrow the selection.`,
    )
  return skipTakenNumbers(
    state,
    selected.map(item => stepOf(state, item, body)),
  )
}

/** Returns how many certificates a job covers, including those of a reverted upload that have been purged since. */
export function countCertificates(state: MockState, body: JobBody, steps: readonly Step[]): number {
  const upload = state.uploads.find(({ id }) => id === body.upload_id)
  return upload ? upload.created + upload.updated : steps.length
}

const countLetters = (state: MockState, steps: readonly Step[]) =>
  steps
    .flatMap(({ certificate }) => issuedLettersOf(state, certificate.certificate_number))
    .filter(({ status }) => status !== 'superseded').length

const affectsLetters = ({ action, changes }: Step) =>
  action !== 'updated' || changes.some(({ field }) => isOnLetters(field))

export function buildPreview(state: MockState, body: JobBody, steps: readonly Step[]) {
  const changing = steps.filter(({ action }) => action !== null)
  const skipped = steps.filter(({ reason }) => reason !== undefined).length
  const deleting = changing.filter(({ action }) => action === 'deleted' || action === 'withdrawn')
  const count = countCertificates(state, body, steps)
  return {
    count,
    to_change: changing.length,
    unchanged: steps.length - changing.length - skipped,
    skipped: skipped + count - steps.length,
    letters_affected: countLetters(state, changing.filter(affectsLetters)),
    letters_withdrawn: countLetters(state, deleting),
    to_delete: deleting.length,
    to_restore: body.kind === 'bulk_edit' ? 0 : changing.length - deleting.length,
    sample: changing.slice(0, SAMPLE_ROWS).map(({ certificate, changes }) => ({
      id: certificate.id,
      certificate_number: certificate.certificate_number,
      student_name: certificate.student_name,
      changes: [...changes],
    })),
  }
}

export function applyStep(
  state: MockState,
  { certificate, action, changes }: Step,
  { user, now }: { user: MockUser; now: Date },
) {
  const at = now.toISOString()
  if (action === 'updated')
    Object.assign(certificate, Object.fromEntries(changes.map(({ field, to }) => [field, to])))
  else if (action === 'restored') {
    state.deleted = (state.deleted ?? []).filter(item => item.certificate !== certificate)
    state.certificates.unshift(certificate)
  } else {
    state.certificates = state.certificates.filter(item => item !== certificate)
    state.deleted = [
      ...(state.deleted ?? []),
      { position: 0, certificate, deleted_at: at, deleted_by: user.email },
    ]
  }
  certificate.version++
  certificate.updated_at = at
}
