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
import { fieldChanges } from '../history/fields.ts'

/* The certificates that a bulk edit, deletion or restoration affects. */

export type JobBody = BodyOut<typeof registerJobs.preview>
type SelectingKind = keyof typeof JOB_LIMITS

/** A selection of current certificates, or of deleted ones for a restoration. */
export interface Selected {
  kind: SelectingKind
  where: SQL
  set: Readonly<Record<string, string>>
}

/** @returns undefined for a revert. @throws Fault `VALIDATION_ERROR` for a filter that does not fit this kind of job */
export function selectedBy({ kind, selection, set }: JobBody): Selected | undefined {
  if (selection === undefined || !(kind in JOB_LIMITS)) return undefined
  const state = kind === 'bulk_restore' ? 'deleted' : 'current'
  const given = (set ?? {}) as Record<string, string>
  const selected = { kind: kind as SelectingKind, set: given }
  if ('ids' in selection) {
    const ids = JSON.stringify(selection.ids)
    const ofState = state === 'deleted' ? sql`withdrawn_at is not null` : sql`withdrawn_at is null`
    return { ...selected, where: sql`id in (select value from json_each(${ids})) and ${ofState}` }
  }
  const { sort: _, page: __, per_page: ___, ...filters } = selection.filter
  if (filters.state !== undefined && filters.state !== state)
    throw invalidField('selection', `This change only applies to ${state} certificates.`)
  return { ...selected, where: filteredBy({ ...(filters as RegisterFilters), state }) }
}

/** Number of certificates in a selection. @throws Fault `VALIDATION_ERROR` if there are more than a job may change */
export async function countSelected(db: Reader, { kind, where }: Selected): Promise<number> {
  const limit = JOB_LIMITS[kind]
  const total = await countUpTo(db, limit + 1, sql`select 1 from ${certificates} where ${where}`)
  if (total > limit)
    throw invalidField(
      'selection',
      `More than ${formatCount(limit)} certificates match. Please narrow the selection.`,
    )
  return total
}

/** The condition that a row would not change. */
function leftAs({ kind, set }: Selected): SQL {
  if (kind === 'bulk_delete') return sql`false`
  if (kind === 'bulk_restore')
    return sql`exists (select 1 from certificates again
      where again.certificate_number = certificates.certificate_number and again.withdrawn_at is null)`
  const same = Object.entries(set).map(([field, value]) => sql`${sql.identifier(field)} is ${value}`)
  return sql.join(same, sql` and `)
}

/** Letters whose status would change, without superseded ones. */
export const lettersOf = (ids: SQL) =>
  sql`select 1 from letters where replaced_by is null and status = 'valid' and certificate_id in (${ids})`

/** Previews a job with a selection without changing anything. */
export async function previewSelected(db: Reader, selected: Selected): Promise<JobPreview> {
  const total = await countSelected(db, selected)
  const { kind, where, set } = selected
  const left = leftAs(selected)
  const limit = JOB_LIMITS[kind] + 1
  const same = await countUpTo(db, limit, sql`select 1 from ${certificates} where ${where} and ${left}`)
  const changing = sql`${where} and not (${left})`
  const letters = await countUpTo(
    db,
    limit * 10,
    lettersOf(sql`select id from certificates where ${changing}`),
  )
  const sample = await db
    .select()
    .from(certificates)
    .where(changing)
    .orderBy(sql`+seq desc`)
    .limit(SAMPLE_ROWS)
  const restoring = kind === 'bulk_restore'
  return {
    count: total,
    to_change: total - same,
    unchanged: restoring ? 0 : same,
    skipped: restoring ? same : 0,
    letters_affected: letters,
    to_delete: kind === 'bulk_delete' ? total : 0,
    to_restore: restoring ? total - same : 0,
    sample: sample.map(row => sampleOf(row, kind === 'bulk_edit' ? fieldChanges(valuesOf(row), set) : [])),
  }
}

export const sampleOf = (
  row: StoredCertificate,
  changes: JobPreview['sample'][number]['changes'],
): JobPreview['sample'][number] => ({
  id: row.id,
  certificate_number: row.certificateNumber,
  student_name: row.studentName,
  changes,
})
