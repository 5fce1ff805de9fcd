import type { ChangeAction } from '@portal/contract/history'
import type { Certificate } from '@portal/contract/shapes'
import { uploadFields } from '@portal/contract/upload-columns'
import type { Persona } from '@portal/fixtures/personas'
import type { PastChange, RegisterPast } from '@portal/fixtures/register-history'
import type { MockChange, MockDeletedCertificate, MockJob, MockUpload } from './register-types.ts'

const DAY = 86_400_000

interface Options {
  past: RegisterPast
  now: Date
  idOf: (number: string) => string
}

/** Returns the time the given number of days ago. */
type TimeAgo = (daysAgo: number) => string

type Origin = Pick<MockChange, 'source'> & { reason?: string | null }

/** Returns the demo's history, uploads, jobs and deleted certificates, and sets the versions of the certificates to match. */
export function demoPast(
  certificates: Certificate[],
  { past, now, idOf }: Options,
): { history: MockChange[]; uploads: MockUpload[]; jobs: MockJob[]; deleted: MockDeletedCertificate[] } {
  const at: TimeAgo = daysAgo => new Date(now.getTime() - daysAgo * DAY).toISOString()
  const byNumber = new Map(certificates.map(item => [item.certificate_number, item]))
  const history: MockChange[] = []
  const entry = (
    number: string,
    version: number,
    action: ChangeAction,
    { daysAgo, actor, source, reason = null }: Origin & { daysAgo: number; actor: Persona },
    changes: MockChange['changes'] = [],
  ): MockChange => ({
    kind: 'certificate',
    record_id: idOf(number),
    label: number,
    version,
    action,
    at: at(daysAgo),
    actor: { id: actor.id, email: actor.email },
    source,
    reason,
    changes,
  })
  function update({ number, days_ago: daysAgo, actor, field, from, to, reason }: PastChange, origin: Origin) {
    const certificate = byNumber.get(number)
    if (!certificate) return
    certificate.version++
    // The certificate must have existed before its first recorded change.
    if (certificate.uploaded_at > at(daysAgo)) certificate.uploaded_at = at(daysAgo + 1)
    certificate.updated_at = at(daysAgo)
    history.push(
      entry(number, certificate.version, 'updated', { daysAgo, actor, reason, ...origin }, [
        { field, from, to },
      ]),
    )
  }
  const form: Origin = { source: { kind: 'form', id: null, label: null } }
  const { bulkEdit, names, reverted } = past
  for (const change of past.forms) update(change, form)
  const bulk = { kind: 'bulk_edit', id: 'job-1', label: null } as const
  for (const change of bulkEdit.changes) update(change, { source: bulk, reason: bulkEdit.reason })
  const namesUpload = { kind: 'upload', id: 'upload-1', label: names.filename } as const
  for (const change of names.changes) update(change, { source: namesUpload, reason: null })

  const deletions = [
    ...past.deleted.map(item => ({
      ...item,
      addedAt: at(item.added_days_ago),
      added: entry(item.certificate.certificate_number, 1, 'created', {
        ...form,
        daysAgo: item.added_days_ago,
        actor: item.actor,
      }),
      removal: { ...form, daysAgo: item.days_ago, actor: item.actor, reason: item.reason },
    })),
    ...reverted.certificates.map(certificate => ({
      certificate,
      addedAt: at(reverted.days_ago),
      added: entry(certificate.certificate_number, 1, 'created', {
        source: { kind: 'upload', id: 'upload-2', label: reverted.filename },
        daysAgo: reverted.days_ago,
        actor: reverted.actor,
      }),
      removal: {
        source: { kind: 'revert', id: 'job-2', label: reverted.filename } as const,
        daysAgo: reverted.reverted_days_ago,
        actor: reverted.actor,
        reason: reverted.reason,
      },
    })),
  ]
  for (const { certificate, added, removal } of deletions)
    history.push(added, entry(certificate.certificate_number, 2, 'deleted', removal))
  history.sort((a, b) => b.at.localeCompare(a.at))

  const deleted = deletions
    .map(({ certificate, addedAt, removal }) => ({
      at: certificates.length,
      certificate: {
        ...certificate,
        id: idOf(certificate.certificate_number),
        uploader_email: removal.actor.email,
        uploaded_at: addedAt,
        updated_at: at(removal.daysAgo),
        version: 2,
      },
      deleted_at: at(removal.daysAgo),
      deleted_by: removal.actor.email,
    }))
    .sort((a, b) => a.deleted_at.localeCompare(b.deleted_at))
  return { history, deleted, uploads: pastUploads(past, at), jobs: pastJobs(past, at) }
}

function pastUploads({ names, reverted }: RegisterPast, at: TimeAgo): MockUpload[] {
  const upload = (
    id: string,
    actor: Persona,
    daysAgo: number,
    changes: Pick<MockUpload, 'filename' | 'on_conflict' | 'created' | 'updated' | 'report' | 'revertible'>,
  ): MockUpload => ({
    id,
    uploader_email: actor.email,
    state: 'done',
    dry_run: false,
    date_order: null,
    recognised_columns: [...uploadFields],
    ignored_columns: [],
    total: changes.report.length,
    processed: changes.report.length,
    succeeded: changes.report.length,
    failed: 0,
    unchanged: 0,
    error: null,
    created_at: at(daysAgo),
    finished_at: at(daysAgo),
    reverted_by: null,
    reverted_at: null,
    failures: [],
    ...changes,
  })
  return [
    {
      ...upload('upload-2', reverted.actor, reverted.days_ago, {
        filename: reverted.filename,
        on_conflict: 'fail',
        created: reverted.certificates.length,
        updated: 0,
        report: reverted.certificates.map(({ certificate_number }, index) => ({
          row: index + 2,
          certificate_number,
          status: 'success',
        })),
        revertible: false,
      }),
      reverted_by: reverted.actor.email,
      reverted_at: at(reverted.reverted_days_ago),
    },
    upload('upload-1', names.actor, names.days_ago, {
      filename: names.filename,
      on_conflict: 'update',
      created: 0,
      updated: names.changes.length,
      report: names.changes.map(({ number, from, to }, index) => ({
        row: index + 2,
        certificate_number: number,
        status: 'success',
        outcome: 'updated',
        changes: `Student name: ${from ?? 'none'} → ${to ?? 'none'}`,
      })),
      revertible: true,
    }),
  ]
}

function pastJobs({ bulkEdit, reverted }: RegisterPast, at: TimeAgo): MockJob[] {
  const job = (
    id: string,
    actor: Persona,
    daysAgo: number,
    numbers: readonly string[],
    changes: Pick<MockJob, 'kind' | 'reason' | 'set' | 'upload' | 'revertible'>,
  ): MockJob => ({
    id,
    state: 'done',
    author_email: actor.email,
    job_id: null,
    total: numbers.length,
    processed: numbers.length,
    changed: numbers.length,
    unchanged: 0,
    skipped: 0,
    error: null,
    created_at: at(daysAgo),
    started_at: at(daysAgo),
    finished_at: at(daysAgo),
    reverted_by: null,
    reverted_at: null,
    rows: numbers.map(number => [
      number,
      changes.kind === 'bulk_edit' ? 'updated' : 'deleted',
      'changed',
      null,
    ]),
    ...changes,
  })
  return [
    job(
      'job-2',
      reverted.actor,
      reverted.reverted_days_ago,
      reverted.certificates.map(({ certificate_number }) => certificate_number),
      {
        kind: 'upload_revert',
        reason: reverted.reason,
        set: null,
        upload: { id: 'upload-2', filename: reverted.filename },
        revertible: false,
      },
    ),
    job(
      'job-1',
      bulkEdit.actor,
      bulkEdit.days_ago,
      bulkEdit.changes.map(({ number }) => number),
      { kind: 'bulk_edit', reason: bulkEdit.reason, set: bulkEdit.set, upload: null, revertible: true },
    ),
  ]
}
