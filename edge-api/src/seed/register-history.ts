import { uploadFields } from '@portal/contract/upload-columns'
import type { CertificateFields } from '@portal/fixtures/certificates'
import type { Persona } from '@portal/fixtures/personas'
import type { PastChange, RegisterHistory } from '@portal/fixtures/register-history'
import { toSearchText } from '../certificates/search.ts'
import { valuesOf } from '../certificates/values.ts'
import type { Tx } from '../db/database.ts'
import { certificates, uploadReports, uploads } from '../db/schema/certificates.ts'
import { diffFields } from '../history/fields.ts'
import { type Origin, recordHistory } from '../history/record.ts'
import { applySteps, type Step } from '../register-jobs/apply-store.ts'
import { kindNames } from '../register-jobs/rules.ts'
import { changeJob, insertJob, storeResults } from '../register-jobs/store.ts'
import { rowId } from '../uploads/row-keys.ts'
import { findCertificatesByNumber, listCertificatesOfUpload } from './register-history-store.ts'

/* Creates the history of the demo's register as the product itself would have done. */

const DAY = 86_400_000
/** How long each of the demo's uploads and jobs took, in milliseconds. */
const DURATION_MS = 4000

/** Converts a certificate to a row of the table. */
export const toCertificateRow = (
  fields: CertificateFields,
  { uploaderEmail, at, uploadSeq = null }: { uploaderEmail: string; at: number; uploadSeq?: number | null },
): typeof certificates.$inferInsert => ({
  id: crypto.randomUUID(),
  certificateNumber: fields.certificate_number,
  studentName: fields.student_name,
  matricNumber: fields.matric_number,
  course: fields.course,
  graduationDate: fields.graduation_date,
  grade: fields.grade,
  department: fields.department,
  uploaderEmail,
  uploadedAt: at,
  updatedAt: at,
  folded: toSearchText(fields.certificate_number, fields.student_name, fields.course),
  uploadSeq,
})

const originAt = (
  actor: Persona,
  at: number,
  source: Origin['source'] = { kind: 'form' },
  reason: string | null = null,
): Origin => ({ actor: { id: actor.id, email: actor.email }, source, reason, at })

async function buildSteps(db: Tx, changes: readonly PastChange[]): Promise<Step[]> {
  const rows = await findCertificatesByNumber(
    db,
    changes.map(({ number }) => number),
  )
  return changes.flatMap(({ number, field, from, to }) => {
    const row = rows.get(number)
    return row ? [{ row, action: 'updated' as const, fields: [{ field, from, to }] }] : []
  })
}

async function changeByForm(db: Tx, change: PastChange, now: number): Promise<void> {
  await applySteps(db, await buildSteps(db, [change]), {
    origin: originAt(change.actor, now - change.days_ago * DAY, { kind: 'form' }, change.reason),
    activity: 'Certificate updated',
    subject: change.number,
  })
}

interface PastUpload {
  actor: Persona
  filename: string
  at: number
  onConflict: 'fail' | 'update'
  created?: readonly CertificateFields[]
  updated?: readonly PastChange[]
}

/** Adds a finished upload with its report. */
async function insertUpload(db: Tx, pastUpload: PastUpload): Promise<{ id: string; seq: number }> {
  const { actor, filename, at, onConflict, created = [], updated = [] } = pastUpload
  const id = crypto.randomUUID()
  const total = created.length + updated.length
  const [upload] = await db
    .insert(uploads)
    .values({
      id,
      uploaderId: actor.id,
      uploaderEmail: actor.email,
      filename,
      dryRun: false,
      onConflict,
      recognisedColumns: [...uploadFields],
      ignoredColumns: [],
      state: 'done',
      total,
      processed: total,
      created: created.length,
      updated: updated.length,
      untidy: false,
      recorded: true,
      createdAt: at,
      finishedAt: at + DURATION_MS,
    })
    .returning({ seq: uploads.seq })
  if (!upload) throw new Error('the insert returned no row')
  const rows = [
    ...created.map(({ certificate_number }) => [certificate_number, null, null] as const),
    ...updated.map(
      ({ number, from, to }) =>
        [number, 'updated', `Student name: ${from ?? 'none'} → ${to ?? 'none'}`] as const,
    ),
  ]
  await db.insert(uploadReports).values({
    uploadSeq: upload.seq,
    lastId: rowId(upload.seq, total),
    rows: JSON.stringify(rows.map(([number, outcome, note], index) => [index + 2, number, outcome, note])),
  })
  return { id, seq: upload.seq }
}

interface PastJob {
  kind: 'bulk_edit' | 'upload_revert'
  actor: Persona
  reason: string
  at: number
  steps: readonly Step[]
  set?: Record<string, string>
  upload?: { id: string; filename: string }
}

/** Adds a finished job with its report. */
async function insertFinishedJob(
  db: Tx,
  { kind, actor, reason, at, steps, set, upload }: PastJob,
): Promise<void> {
  const id = crypto.randomUUID()
  const seq = await insertJob(db, {
    id,
    kind,
    authorId: actor.id,
    ipAddress: null,
    requestId: null,
    reason,
    set: set ?? null,
    targetId: upload?.id ?? null,
    total: steps.length,
    idempotencyKey: null,
    requestHash: '',
    createdAt: at,
  })
  const actions = await applySteps(db, steps, {
    origin: originAt(
      actor,
      at,
      { kind: upload ? 'revert' : 'bulk_edit', id, label: upload?.filename ?? null },
      reason,
    ),
    activity: kindNames[kind].activity,
    subject: upload?.filename ?? '',
  })
  await storeResults(
    db,
    steps.map(({ row }, index) => ({
      id: rowId(seq, index + 1),
      certificateSeq: row.seq,
      certificateNumber: row.certificateNumber,
      version: row.version,
      action: actions.get(row.id) ?? null,
      status: 'changed' as const,
      reason: null,
    })),
  )
  await changeJob(db, seq, {
    state: 'done',
    processed: steps.length,
    changed: steps.length,
    leaseUntil: null,
    startedAt: at,
    finishedAt: at + DURATION_MS,
  })
}

/** One step of the history. Steps are carried out in chronological order, because lists show them in the order of insertion. */
type Event = readonly [daysAgo: number, carryOut: (at: number) => Promise<void>]

function buildDeletionEvents(db: Tx, deletion: RegisterHistory['deletions'][number]): Event[] {
  const { certificate, actor, reason } = deletion
  const number = certificate.certificate_number
  return [
    [
      deletion.added_days_ago,
      async at => {
        const row = toCertificateRow(certificate, { uploaderEmail: actor.email, at })
        const [stored] = await db.insert(certificates).values(row).returning()
        if (!stored) throw new Error('the insert returned no row')
        const { id: recordId, version } = stored
        const fields = diffFields(undefined, valuesOf(stored))
        await recordHistory(
          db,
          originAt(actor, at),
          [{ kind: 'certificate', recordId, version, action: 'created', label: number, fields }],
          { activity: 'Certificate created', details: number },
        )
      },
    ],
    [
      deletion.days_ago,
      async at => {
        const rows = await findCertificatesByNumber(db, [number])
        await applySteps(
          db,
          [...rows.values()].map(row => ({ row, action: 'deleted' as const })),
          {
            origin: originAt(actor, at, { kind: 'form' }, reason),
            activity: 'Certificate deleted',
            subject: number,
          },
        )
      },
    ],
  ]
}

async function correctNames(
  db: Tx,
  { actor, filename, changes }: RegisterHistory['nameCorrections'],
  at: number,
) {
  const upload = await insertUpload(db, { actor, filename, at, onConflict: 'update', updated: changes })
  await applySteps(db, await buildSteps(db, changes), {
    origin: originAt(actor, at, { kind: 'upload', id: upload.id, label: filename }),
    activity: 'Certificates updated by upload',
    subject: filename,
  })
}

function buildRevertEvents(
  db: Tx,
  { actor, filename, reason, ...past }: RegisterHistory['revertedUpload'],
): Event[] {
  let storedUpload = { id: '', seq: 0 }
  return [
    [
      past.days_ago,
      async at => {
        const created = past.certificates
        storedUpload = await insertUpload(db, { actor, filename, at, onConflict: 'fail', created })
        const { email: uploaderEmail } = actor
        await db
          .insert(certificates)
          .values(
            created.map(fields =>
              toCertificateRow(fields, { uploaderEmail, at, uploadSeq: storedUpload.seq }),
            ),
          )
      },
    ],
    [
      past.reverted_days_ago,
      async at => {
        const stored = await listCertificatesOfUpload(db, storedUpload)
        const steps = stored.map(row => ({ row, action: 'deleted' as const }))
        const upload = { id: storedUpload.id, filename }
        await insertFinishedJob(db, { kind: 'upload_revert', actor, reason, at, steps, upload })
      },
    ],
  ]
}

/** Creates the register's history. Requires that the certificates have the values they had before it. */
export async function insertRegisterHistory(db: Tx, past: RegisterHistory, now: number): Promise<void> {
  const { bulkEdit, nameCorrections } = past
  const events: Event[] = [
    ...past.formChanges.map((change): Event => [change.days_ago, () => changeByForm(db, change, now)]),
    [
      bulkEdit.days_ago,
      async at =>
        insertFinishedJob(db, {
          ...bulkEdit,
          kind: 'bulk_edit',
          at,
          steps: await buildSteps(db, bulkEdit.changes),
        }),
    ],
    [nameCorrections.days_ago, at => correctNames(db, nameCorrections, at)],
    ...past.deletions.flatMap(deletion => buildDeletionEvents(db, deletion)),
    ...buildRevertEvents(db, past.revertedUpload),
  ]
  events.sort(([a], [b]) => b - a)
  for (const [daysAgo, run] of events) await run(now - daysAgo * DAY)
}
