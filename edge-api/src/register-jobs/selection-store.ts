import { isOnLetters } from '@portal/contract/letter'
import type { RegisterFilters } from '@portal/contract/register-filters'
import type { registerJobs } from '@portal/contract/register-jobs'
import { JOB_LIMITS, type JobPreview, SAMPLE_ROWS } from '@portal/contract/register-jobs'
import type { BodyOut } from '@portal/contract/route'
import { formatCount } from '@portal/format/numbers'
import { type SQL, sql } from 'drizzle-orm'
import { filteredBy } from '../certificates/list-store.ts'
import type { StoredCertificate } from '../certificates/store.ts'
import { valuesOf } from '../certificates/values.ts'
import type { Reader } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { certificates } from '../db/schema/certificates.ts'
import { invalidField } from '../fault.ts'
import { diffFields } from '../history/fields.ts'
import { findUnrestorable } from './restorable-store.ts'

/* Selects the certificates that a bulk edit, deletion or restoration affects. */

export type JobBody = BodyOut<typeof registerJobs.preview>
type SelectingKind = keyof typeof JOB_LIMITS

/** A selection of certificates in the register or, for a restoration, of deleted ones. */
export interface CertificateSelection {
  kind: SelectingKind
  where: SQL
  set: Readonly<Record<string, string>>
}

/**
 * Returns the selection of a job; undefined for a revert.
 * @throws Fault `VALIDATION_ERROR` if the filter is not possible for this kind of job
 */
export function parseSelection({ kind, selection, set }: JobBody): CertificateSelection | undefined {
  if (selection === undefined || !(kind in JOB_LIMITS)) return undefined
  const state = kind === 'bulk_restore' ? 'deleted' : 'current'
  const values = (set ?? {}) as Record<string, string>
  const selected = { kind: kind as SelectingKind, set: values }
  if ('ids' in selection) {
    const ids = JSON.stringify(selection.ids)
    const hasState = state === 'deleted' ? sql`withdrawn_at is not null` : sql`withdrawn_at is null`
    return { ...selected, where: sql`id in (select value from json_each(${ids})) and ${hasState}` }
  }
  const { sort: _, page: __, per_page: ___, ...filters } = selection.filter
  if (filters.state !== undefined && filters.state !== state)
    throw invalidField('selection', `This change only applies to ${state} certificates.`)
  return { ...selected, where: filteredBy({ ...(filters as RegisterFilters), state }) }
}

/** Counts the certificates in a selection. @throws Fault `VALIDATION_ERROR` if there are more than one job may change */
export async function countSelected(db: Reader, { kind, where }: CertificateSelection): Promise<number> {
  const limit = JOB_LIMITS[kind]
  const total = await countUpTo(db, limit + 1, sql`select 1 from ${certificates} where ${where}`)
  if (total > limit)
    throw invalidField(
      'selection',
      `More than ${formatCount(limit)} certificates match. Please narrow the selection.`,
    )
  return total
}

/** Returns the condition that the job would leave a row unchanged. */
function isUnchangedBy({ kind, set }: CertificateSelection): SQL {
  if (kind === 'bulk_delete') return sql`false`
  const isSameValue = Object.entries(set).map(([field, value]) => sql`${sql.identifier(field)} is ${value}`)
  return sql.join([sql`true`, ...isSameValue], sql` and `)
}

/** Removes the values that letters do not show. */
const keepLetterFields = (selected: CertificateSelection): CertificateSelection => ({
  ...selected,
  set: Object.fromEntries(Object.entries(selected.set).filter(([field]) => isOnLetters(field))),
})

/** Returns a query for the letters whose status would change, without those already superseded. */
export const selectAffectedLetters = (ids: SQL) =>
  sql`select 1 from letters where replaced_by is null and status = 'valid' and certificate_id in (${ids})`

/** Maximum number of letters that a preview counts, per certificate that the job may change. */
const LETTERS_PER_ROW = 10

const countLetters = (db: Reader, { kind }: CertificateSelection, ids: SQL) =>
  countUpTo(db, (JOB_LIMITS[kind] + 1) * LETTERS_PER_ROW, selectAffectedLetters(ids))

/**
 * Previews a restoration, in the order in which the job will proceed: of two certificates with the same number, only the first
 * is restored.
 */
async function previewRestoration(
  db: Reader,
  selected: CertificateSelection,
  now: number,
): Promise<JobPreview> {
  const rows = await db.select().from(certificates).where(selected.where).orderBy(certificates.seq)
  const refusedSeqs = await findUnrestorable(db, rows, now)
  const rowsToRestore = rows.filter(({ seq }) => !refusedSeqs.has(seq))
  const ids = JSON.stringify(rowsToRestore.map(({ id }) => id))
  return {
    count: rows.length,
    to_change: rowsToRestore.length,
    unchanged: 0,
    skipped: refusedSeqs.size,
    letters_affected: await countLetters(db, selected, sql`select value from json_each(${ids})`),
    letters_withdrawn: 0,
    to_delete: 0,
    to_restore: rowsToRestore.length,
    sample: rowsToRestore
      .slice(-SAMPLE_ROWS)
      .reverse()
      .map(row => toSample(row, [])),
  }
}

/** Returns what a job with a selection would do, without changing anything. */
export async function previewSelected(
  db: Reader,
  selected: CertificateSelection,
  now: number,
): Promise<JobPreview> {
  const total = await countSelected(db, selected)
  const { kind, where, set } = selected
  if (kind === 'bulk_restore') return await previewRestoration(db, selected, now)
  const isUnchanged = isUnchangedBy(selected)
  const unchangedCount = await countUpTo(
    db,
    JOB_LIMITS[kind] + 1,
    sql`select 1 from ${certificates} where ${where} and ${isUnchanged}`,
  )
  const isChanged = sql`${where} and not (${isUnchanged})`
  const affectedIds = sql`select id from certificates where ${where} and not (${isUnchangedBy(keepLetterFields(selected))})`
  const letters = await countLetters(db, selected, affectedIds)
  const sample = await db
    .select()
    .from(certificates)
    .where(isChanged)
    .orderBy(sql`+seq desc`)
    .limit(SAMPLE_ROWS)
  return {
    count: total,
    to_change: total - unchangedCount,
    unchanged: unchangedCount,
    skipped: 0,
    letters_affected: letters,
    letters_withdrawn: kind === 'bulk_delete' ? letters : 0,
    to_delete: kind === 'bulk_delete' ? total : 0,
    to_restore: 0,
    sample: sample.map(row => toSample(row, kind === 'bulk_edit' ? diffFields(valuesOf(row), set) : [])),
  }
}

export const toSample = (
  row: StoredCertificate,
  changes: JobPreview['sample'][number]['changes'],
): JobPreview['sample'][number] => ({
  id: row.id,
  certificate_number: row.certificateNumber,
  student_name: row.studentName,
  changes,
})
