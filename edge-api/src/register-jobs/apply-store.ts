import type { FieldChange } from '@portal/contract/history'
import { counted } from '@portal/format/counted'
import { sql } from 'drizzle-orm'
import { findIdsWithLetters } from '../certificates/detail-store.ts'
import { foldFields, type StoredCertificate } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { type Origin, recordHistory } from '../history/record.ts'
import {
  type ChangedLetterCounts,
  changeAndUpdateLetters,
  describeLetterChanges,
} from '../letter-holders/status-changes.ts'

/* Applies changes to many certificates in one transaction, for any kind of job. */

/** One certificate and its change. */
export type Step = { row: StoredCertificate } & (
  | { action: 'updated'; fields: readonly FieldChange[] }
  | { action: 'deleted' | 'restored' }
)

const stepsOf = <A extends Step['action']>(steps: readonly Step[], action: A) =>
  steps.filter((step): step is Extract<Step, { action: A }> => step.action === action)

const columns = {
  student_name: 'studentName',
  matric_number: 'matricNumber',
  course: 'course',
  graduation_date: 'graduationDate',
  grade: 'grade',
  department: 'department',
} as const

/** Returns a certificate with changed fields. Only these fields can be changed in bulk. */
function applyFieldChanges(row: StoredCertificate, fields: readonly FieldChange[]): StoredCertificate {
  const changed = { ...row }
  for (const { field, to } of fields) {
    if (field in columns) Object.assign(changed, { [columns[field as keyof typeof columns]]: to })
  }
  return { ...changed, folded: foldFields(changed) }
}

async function editCertificates(db: Tx, rows: readonly StoredCertificate[], at: number): Promise<void> {
  if (rows.length === 0) return
  const list = rows.map(row => [
    row.seq,
    row.studentName,
    row.matricNumber,
    row.course,
    row.graduationDate,
    row.grade,
    row.department,
    row.folded,
  ])
  await db.run(sql`
    update certificates set student_name = j.value ->> 1, matric_number = j.value ->> 2, course = j.value ->> 3,
      graduation_date = j.value ->> 4, grade = j.value ->> 5, department = j.value ->> 6, folded = j.value ->> 7,
      version = version + 1, updated_at = ${at}
    from json_each(${JSON.stringify(list)}) j where certificates.seq = j.value ->> 0`)
}

async function deleteCertificates(db: Tx, steps: readonly Step[], at: number): Promise<void> {
  if (steps.length === 0) return
  const seqs = JSON.stringify(steps.map(({ row }) => row.seq))
  await db.run(sql`
    update certificates set withdrawn_at = ${at}, version = version + 1, updated_at = ${at}
    where seq in (select value from json_each(${seqs}))`)
}

async function restoreCertificates(db: Tx, steps: readonly Step[], at: number): Promise<void> {
  if (steps.length === 0) return
  // The search text may be outdated if a certificate was deleted at a time when the search index still contained deleted ones.
  const list = steps.map(({ row }) => [row.seq, foldFields(row)])
  await db.run(sql`
    update certificates set withdrawn_at = null, folded = j.value ->> 1, version = version + 1, updated_at = ${at}
    from json_each(${JSON.stringify(list)}) j where certificates.seq = j.value ->> 0`)
}

/** Returns the action for the history: a certificate with letters is withdrawn instead of deleted. */
const actionOf = ({ action, row }: Step, idsWithLetters: ReadonlySet<string>) =>
  action === 'deleted' && idsWithLetters.has(row.id) ? 'withdrawn' : action

const detailsOf = (steps: readonly Step[], changed: ChangedLetterCounts) => {
  const fields = [
    ...new Set(stepsOf(steps, 'updated').flatMap(step => step.fields.map(({ field }) => field))),
  ].join(', ')
  return [fields, describeLetterChanges(changed)].filter(part => part !== '').join('; ')
}

/**
 * Applies changes, and records their history and the new status of letters. The rows must have been read in the same
 * transaction.
 * @returns the action for each certificate, by ID
 */
export async function applySteps(
  db: Tx,
  steps: readonly Step[],
  { origin, activity, subject }: { origin: Origin; activity: string; subject: string },
): Promise<Map<string, 'updated' | 'deleted' | 'withdrawn' | 'restored'>> {
  if (steps.length === 0) return new Map()
  const { at } = origin
  const certificateIds = steps.map(({ row }) => row.id)
  const idsWithLetters = await findIdsWithLetters(db, { certificateIds })
  const { changed } = await changeAndUpdateLetters(
    db,
    { certificateIds: [...idsWithLetters], at },
    async () => {
      await editCertificates(
        db,
        stepsOf(steps, 'updated').map(({ row, fields }) => applyFieldChanges(row, fields)),
        at,
      )
      await deleteCertificates(db, stepsOf(steps, 'deleted'), at)
      await restoreCertificates(db, stepsOf(steps, 'restored'), at)
    },
  )
  const summary = detailsOf(steps, changed)
  await recordHistory(
    db,
    origin,
    steps.map(step => ({
      kind: 'certificate' as const,
      recordId: step.row.id,
      version: step.row.version + 1,
      action: actionOf(step, idsWithLetters),
      label: step.row.certificateNumber,
      fields: step.action === 'updated' ? step.fields : [],
    })),
    {
      activity,
      details:
        [subject, summary].filter(part => part !== '').join(': ') || counted(steps.length, 'certificate'),
    },
  )
  return new Map(steps.map(step => [step.row.id, actionOf(step, idsWithLetters)]))
}

/** Finds certificates by `seq`, including deleted ones. */
export async function findCertificatesBySeq(
  db: Tx,
  seqs: readonly number[],
): Promise<Map<number, StoredCertificate>> {
  const rows = await db
    .select()
    .from(certificates)
    .where(sql`${certificates.seq} in (select value from json_each(${JSON.stringify(seqs)}))`)
  return new Map(rows.map(row => [row.seq, row]))
}
