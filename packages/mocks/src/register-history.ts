import type { ChangeAction } from '@portal/contract/history'
import type { Certificate } from '@portal/contract/shapes'
import { uploadFields } from '@portal/contract/upload-columns'
import type { Persona } from '@portal/fixtures/personas'
import type { PastChange, RegisterHistory } from '@portal/fixtures/register-history'
import type { MockChange, MockDeletedCertificate, MockJob, MockUpload } from './register-types.ts'

const DAY_MS = 86_400_000

interface Options {
  registerHistory: RegisterHistory
  now: Date
  idOf: (number: string) => string
}

/** Returns the time the given number of days ago. */
type TimeAgo = (daysAgo: number) => string

type Origin = Pick<MockChange, 'source'> & { reason?: string | null }

/** Returns the demo's history, uploads, jobs and deleted certificates, and sets the versions of the certificates to match. */
export function buildRegisterHistory(
  certificates: Certificate[],
  { registerHistory, now, idOf }: Options,
): { history: MockChange[]; uploads: MockUpload[]; jobs: MockJob[]; deleted: MockDeletedCertificate[] } {
  const timeAgo: TimeAgo = daysAgo => new Date(now.getTime() - daysAgo * DAY_MS).toISOString()
  const byNumber = new Map(certificates.map(item => [item.certificate_number, item]))
  const history: MockChange[] = []
  const buildEntry = (
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
    at: timeAgo(daysAgo),
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
    if (certificate.uploaded_at > timeAgo(daysAgo)) certificate.uploaded_at = timeAgo(daysAgo + 1)
    certificate.updated_at = timeAgo(daysAgo)
    history.push(
      buildEntry(number, certificate.version, 'updated', { daysAgo, actor, reason, ...origin }, [
        { field, from, to },
      ]),
    )
  }
  const formOrigin: Origin = { source: { kind: 'form', id: null, label: null } }
  const { bulkEdit, nameCorrections, revertedUpload } = registerHistory
  for (const change of registerHistory.formChanges) update(change, formOrigin)
  const bulk = { kind: 'bulk_edit', id: 'job-1', label: null } as const
  for (const change of bulkEdit.changes) update(change, { source: bulk, reason: bulkEdit.reason })
  const namesUpload = { kind: 'upload', id: 'upload-1', label: nameCorrections.filename } as const
  for (const change of nameCorrections.changes) update(change, { source: namesUpload, reason: null })

  const deletions = [
    ...registerHistory.deletions.map(item => ({
      ...item,
      addedAt: timeAgo(item.added_days_ago),
      added: buildEntry(item.certificate.certificate_number, 1, 'created', {
        ...formOrigin,
        daysAgo: item.added_days_ago,
        actor: item.actor,
      }),
      removal: { ...formOrigin, daysAgo: item.days_ago, actor: item.actor, reason: item.reason },
    })),
    ...revertedUpload.certificates.map(certificate => ({
      certificate,
      addedAt: timeAgo(revertedUpload.days_ago),
      added: buildEntry(certificate.certificate_number, 1, 'created', {
        source: { kind: 'upload', id: 'upload-2', label: revertedUpload.filename },
        daysAgo: revertedUpload.days_ago,
        actor: revertedUpload.actor,
      }),
      removal: {
        source: { kind: 'revert', id: 'job-2', label: revertedUpload.filename } as const,
        daysAgo: revertedUpload.reverted_days_ago,
        actor: revertedUpload.actor,
        reason: revertedUpload.reason,
      },
    })),
  ]
  for (const { certificate, added, removal } of deletions)
    history.push(added, buildEntry(certificate.certificate_number, 2, 'deleted', removal))
  history.sort((a, b) => b.at.localeCompare(a.at))

  const deleted = deletions
    .map(({ certificate, addedAt, removal }) => ({
      position: certificates.length,
      certificate: {
        ...certificate,
        id: idOf(certificate.certificate_number),
        uploader_email: removal.actor.email,
        uploaded_at: addedAt,
        updated_at: timeAgo(removal.daysAgo),
        version: 2,
      },
      deleted_at: timeAgo(removal.daysAgo),
      deleted_by: removal.actor.email,
    }))
    .sort((a, b) => a.deleted_at.localeCompare(b.deleted_at))
  return {
    history,
    deleted,
    uploads: demoUploads(registerHistory, timeAgo),
    jobs: demoJobs(registerHistory, timeAgo),
  }
}

function demoUploads({ nameCorrections, revertedUpload }: RegisterHistory, timeAgo: TimeAgo): MockUpload[] {
  const upload = (
    id: string,
    actor: Persona,
    daysAgo: number,
    fields: Pick<MockUpload, 'filename' | 'on_conflict' | 'created' | 'updated' | 'report' | 'revertible'>,
  ): MockUpload => ({
    id,
    uploader_email: actor.email,
    state: 'done',
    dry_run: false,
    date_order: null,
    recognised_columns: [...uploadFields],
    ignored_columns: [],
    total: fields.report.length,
    processed: fields.report.length,
    succeeded: fields.report.length,
    failed: 0,
    unchanged: 0,
    error: null,
    created_at: timeAgo(daysAgo),
    finished_at: timeAgo(daysAgo),
    reverted_by: null,
    reverted_at: null,
    failures: [],
    ...fields,
  })
  return [
    {
      ...upload('upload-2', revertedUpload.actor, revertedUpload.days_ago, {
        filename: revertedUpload.filename,
        on_conflict: 'fail',
        created: revertedUpload.certificates.length,
        updated: 0,
        report: revertedUpload.certificates.map(({ certificate_number }, index) => ({
          row: index + 2,
          certificate_number,
          status: 'success',
        })),
        revertible: false,
      }),
      reverted_by: revertedUpload.actor.email,
      reverted_at: timeAgo(revertedUpload.reverted_days_ago),
    },
    upload('upload-1', nameCorrections.actor, nameCorrections.days_ago, {
      filename: nameCorrections.filename,
      on_conflict: 'update',
      created: 0,
      updated: nameCorrections.changes.length,
      report: nameCorrections.changes.map(({ number, from, to }, index) => ({
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

function demoJobs({ bulkEdit, revertedUpload }: RegisterHistory, timeAgo: TimeAgo): MockJob[] {
  const job = (
    id: string,
    actor: Persona,
    daysAgo: number,
    numbers: readonly string[],
    fields: Pick<MockJob, 'kind' | 'reason' | 'set' | 'upload' | 'revertible'>,
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
    created_at: timeAgo(daysAgo),
    started_at: timeAgo(daysAgo),
    finished_at: timeAgo(daysAgo),
    reverted_by: null,
    reverted_at: null,
    rows: numbers.map(number => [
      number,
      fields.kind === 'bulk_edit' ? 'updated' : 'deleted',
      'changed',
      null,
    ]),
    ...fields,
  })
  return [
    job(
      'job-2',
      revertedUpload.actor,
      revertedUpload.reverted_days_ago,
      revertedUpload.certificates.map(({ certificate_number }) => certificate_number),
      {
        kind: 'upload_revert',
        reason: revertedUpload.reason,
        set: null,
        upload: { id: 'upload-2', filename: revertedUpload.filename },
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
