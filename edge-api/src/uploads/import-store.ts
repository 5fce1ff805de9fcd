import { FAILED_ROWS_KEPT, registerConflictError } from '@portal/contract/admin-uploads'
import { isOnLetters } from '@portal/contract/letter'
import { fieldLabels, type UploadField, uploadFields } from '@portal/contract/upload-columns'
import { newRowWarning } from '@portal/contract/upload-warnings'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { diffFields } from '../history/fields.ts'
import { type RecordChange, recordHistory } from '../history/record.ts'
import {
  type ChangedLetterCounts,
  changeAndUpdateLetters,
  describeLetterChanges,
} from '../letter-holders/status-changes.ts'
import { recordLogEntry } from '../logs/store.ts'
import { findOtherForms } from '../payments/numbers-store.ts'
import { importBatches, insertCertificates, joinAdjoining, listNextBatches } from './batch-store.ts'
import { rowId } from './row-keys.ts'
import { changeUpload, type UploadRow, unpackBatch } from './store.ts'

/** A staged row whose number is in the register. */
interface Match {
  id: number
  certificateSeq: number
  certificateId: string
  /** The differences as text, `Grade: Pass → First Class`; null if there are none. */
  changes: string | null
  /** 1 if the row's number occurs earlier in the file; otherwise 0. */
  repeated: number
}

const COMPARED_FIELDS = uploadFields.filter(field => field !== 'certificate_number')

/** Returns the compared fields for which the file has a column. All others are neither compared nor changed. */
const listFileColumns = ({ recognisedColumns }: UploadRow) =>
  COMPARED_FIELDS.filter(column => recognisedColumns?.includes(column) ?? true)

const diffExpression = (columns: readonly UploadField[]) =>
  sql.raw(
    columns
      .map(
        column =>
          `iif(c.${column} is r.${column}, '', '; ${fieldLabels[column]}: ' || coalesce(c.${column}, 'none') || ' → ' || coalesce(r.${column}, 'none'))`,
      )
      .join(' || '),
  )

interface Range {
  /** Key of the row before the first one. */
  after: number
  last: number
}

const isWithin = ({ after, last }: Range) => sql`id > ${after} and id <= ${last}`

/** Finds the staged rows whose number is in the register, with one index lookup per row. */
async function findMatches(db: Tx, { after, last }: Range, upload: UploadRow): Promise<Match[]> {
  return await db.all<Match>(sql`
    select r.id, c.seq as "certificateSeq", c.id as "certificateId", nullif(substr(${diffExpression(listFileColumns(upload))}, 3), '') as changes,
      r.outcome is not null as repeated
    from upload_rows r cross join certificates c
      on c.certificate_number = r.certificate_number and c.withdrawn_at is null
    where r.id > ${after} and r.id <= ${last} and r.error is null`)
}

const toJsonArray = (values: readonly unknown[]) => JSON.stringify(values)

async function markUnchanged(db: Tx, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  await db.run(sql`
    update upload_rows set outcome = 'unchanged'
    where id in (select value from json_each(${toJsonArray(matches.map(match => match.id))}))`)
}

async function markConflicts(db: Tx, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  await db.run(sql`
    update upload_rows set outcome = null, error = j.value ->> 1
    from json_each(${toJsonArray(matches.map(match => [match.id, registerConflictError(match.changes ?? '')]))}) j
    where upload_rows.id = j.value ->> 0`)
}

async function markUpdates(db: Tx, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  await db.run(sql`
    update upload_rows set outcome = 'updated', changes = j.value ->> 1
    from json_each(${toJsonArray(matches.map(match => [match.id, match.changes]))}) j
    where upload_rows.id = j.value ->> 0`)
}

/**
 * In a dry run, adds warnings to new rows: if their number exists with other separators or is normally written with others, or
 * if no certificate has their grade.
 */
async function markWarnings(db: Tx, range: Range): Promise<void> {
  const newRows = await db.all<{ id: number; number: string; newGrade: string | null }>(sql`
    select id, certificate_number as number, case
      when exists (select 1 from certificates where grade > '' and withdrawn_at is null)
        and not exists (select 1 from certificates c where c.grade = upload_rows.grade and c.withdrawn_at is null)
      then grade end as "newGrade"
    from upload_rows where ${isWithin(range)} and error is null and outcome is null`)
  const existingForms = await findOtherForms(db, { numbers: newRows.map(({ number }) => number) })
  const warnings = newRows.flatMap(({ id, number, newGrade }) => {
    const warning = newRowWarning(number, { onRecord: existingForms.get(number), newGrade })
    return warning === undefined ? [] : [[id, warning]]
  })
  if (warnings.length === 0) return
  await db.run(sql`
    update upload_rows set changes = j.value ->> 1 from json_each(${toJsonArray(warnings)}) j
    where upload_rows.id = j.value ->> 0`)
}

type ComparedValues = Record<(typeof COMPARED_FIELDS)[number], string | null>

/** Returns the changes that a chunk will make to existing certificates, for their history. Called before making the changes. */
async function findUpcomingChanges(
  db: Tx,
  matches: readonly Match[],
  columns: readonly (keyof ComparedValues)[],
): Promise<RecordChange[]> {
  const values = (table: 'c' | 'r') => sql.raw(columns.map(name => `'${name}', ${table}.${name}`).join(', '))
  const rows = await db.all<{
    id: string
    number: string
    version: number
    before: string
    after: string
  }>(sql`
    select c.id, c.certificate_number as number, c.version, json_object(${values('c')}) as before,
      json_object(${values('r')}) as after
    from json_each(${toJsonArray(matches.map(match => [match.id, match.certificateSeq]))}) j
      join upload_rows r on r.id = j.value ->> 0 join certificates c on c.seq = j.value ->> 1`)
  return rows.map(({ id, number, version, before, after }) => ({
    kind: 'certificate',
    recordId: id,
    version: version + 1,
    action: 'updated',
    label: number,
    fields: diffFields(JSON.parse(before) as ComparedValues, JSON.parse(after) as ComparedValues),
  }))
}

/** Returns the names of the changed fields, each once, for the log. */
const listFieldNames = (history: readonly RecordChange[]) =>
  [...new Set(history.flatMap(({ fields }) => fields.map(({ field }) => field)))].join(', ')

async function updateCertificates(
  db: Tx,
  matches: readonly Match[],
  upload: UploadRow,
  at: number,
): Promise<ChangedLetterCounts> {
  if (matches.length === 0) return {}
  const columns = sql.raw(
    listFileColumns(upload)
      .map(column => `${column} = r.${column}`)
      .join(', '),
  )
  const certificateIds = matches.map(match => match.certificateId)
  const history = await findUpcomingChanges(db, matches, listFileColumns(upload))
  const { changed } = await changeAndUpdateLetters(db, { certificateIds, at }, () =>
    db.run(sql`
      update certificates set ${columns}, folded = r.folded, updated_at = ${at}, version = version + 1
      from json_each(${toJsonArray(matches.map(match => [match.id, match.certificateSeq]))}) j
        join upload_rows r on r.id = j.value ->> 0
      where certificates.seq = j.value ->> 1`),
  )
  await recordHistory(
    db,
    {
      actor: { id: upload.uploaderId, email: upload.uploaderEmail },
      source: { kind: 'upload', id: upload.id, label: upload.filename },
      ipAddress: upload.ipAddress,
      at,
    },
    history,
    {
      activity: 'Certificates updated by upload',
      details: `${upload.filename}: ${listFieldNames(history)}`,
    },
  )
  return changed
}

/** In a dry run, counts the valid letters that the updates would supersede. */
async function countLetters(db: Tx, matches: readonly Match[], upload: UploadRow): Promise<number> {
  const letterColumns = listFileColumns(upload).filter(isOnLetters)
  if (matches.length === 0 || letterColumns.length === 0) return 0
  const differs = sql.raw(letterColumns.map(column => `c.${column} is not r.${column}`).join(' or '))
  const [counted] = await db.all<{ total: number }>(sql`
    select count(*) as total from json_each(${toJsonArray(matches.map(match => [match.id, match.certificateSeq]))}) j
      join upload_rows r on r.id = j.value ->> 0 join certificates c on c.seq = j.value ->> 1
      join letters on letters.certificate_id = c.id and letters.replaced_by is null and letters.status = 'valid'
    where ${differs}`)
  return counted?.total ?? 0
}

/** Logs which letters have changed. Their holders are notified once the upload has ended or paused. */
async function logChangedLetters(
  db: Tx,
  upload: UploadRow,
  changed: ChangedLetterCounts,
  at: number,
): Promise<void> {
  const summary = describeLetterChanges(changed)
  if (summary === '') return
  await recordLogEntry(db, {
    userId: upload.uploaderId,
    userEmail: upload.uploaderEmail,
    ipAddress: upload.ipAddress,
    activity: 'Letters changed with their certificates',
    details: `${upload.filename}: ${summary}`,
    at,
  })
}

async function insertNewRows(db: Tx, range: Range, upload: UploadRow, at: number): Promise<void> {
  const values = sql`certificate_number, student_name, matric_number, course, graduation_date, grade, department, folded`
  const rows = sql`from upload_rows where ${isWithin(range)} and error is null and outcome is null order by id`
  await insertCertificates(db, { values, rows }, upload, at)
}

/**
 * Finds the first failed row in the range whose values will not be kept: only the first `FAILED_ROWS_KEPT` failed rows of an
 * upload keep their values.
 * @param failedBefore number of failed rows before the range
 * @returns the row's key, or the key after the range if there is none
 */
async function findFirstNotKept(db: Tx, { after, last }: Range, failedBefore: number): Promise<number> {
  const [row] = await db.all<{ id: number }>(sql`
    select id from upload_rows where ${isWithin({ after, last })} and error is not null
    order by id limit 1 offset ${Math.max(0, FAILED_ROWS_KEPT - failedBefore)}`)
  return row?.id ?? last + 1
}

/** Maximum length of the stored reason of a failed row whose values are not kept. */
const MAX_REASON_LENGTH = 160

/**
 * Stores the outcomes of rows in compact form, and deletes the rows: all that succeeded, and the failed ones from
 * `firstNotKept` on. For a failed row, the outcome has the error in place of the changes, or null if it is the same as that of
 * the previous failed row.
 */
async function storeOutcomes(
  db: Tx,
  range: Range,
  { seq, firstNotKept }: { seq: number; firstNotKept: number },
): Promise<void> {
  const isReported = sql`${isWithin(range)} and (error is null or id >= ${firstNotKept})`
  await db.run(sql`
    insert into upload_reports (upload_seq, last_id, rows)
    select ${seq}, ${range.last}, json_group_array(json_array(line, substr(certificate_number, 1, 100), outcome, note))
    from (
      select line, certificate_number, iif(error is null, outcome, 'failed') as outcome,
        iif(error is null, changes, nullif(reason, lag(reason) over (partition by error is null order by id))) as note
      from (select *, iif(length(error) > ${MAX_REASON_LENGTH}, substr(error, 1, ${MAX_REASON_LENGTH - 1}) || '…', error) as reason
        from upload_rows where ${isReported}) order by id)`)
  await db.run(sql`delete from upload_rows where ${isReported}`)
}

interface RangeCounts {
  rows: number
  failed: number
  updated: number
  unchanged: number
}

async function countRange(db: Tx, range: Range): Promise<RangeCounts> {
  const [counted] = await db.all<RangeCounts>(sql`
    select count(*) as rows, count(error) as failed, coalesce(sum(outcome = 'updated'), 0) as updated,
      coalesce(sum(outcome = 'unchanged'), 0) as unchanged
    from upload_rows where ${isWithin(range)}`)
  if (!counted) throw new Error('the count returned no row')
  return counted
}

/**
 * Imports the next rows of an upload into the register, and moves the upload's cursor, all in the caller's transaction: if the
 * process dies, the whole chunk is either imported or not. A dry run computes everything, but changes only the upload's own
 * tables.
 * @returns the upload afterwards
 */
export async function importChunk(
  db: Tx,
  upload: UploadRow,
  { size, batches, at, leaseUntil }: { size: number; batches: number; at: number; leaseUntil: number },
): Promise<UploadRow> {
  const { seq } = upload
  const from = rowId(seq, upload.processed + 1)
  const nextBatches = await listNextBatches(db, { seq, from, limit: batches })
  const [batch] = nextBatches
  const isNext = batch?.id === from
  if (batch && isNext) {
    const joined = upload.dryRun ? undefined : joinAdjoining(nextBatches)
    const imported = joined && (await importBatches(db, upload, { batches: joined, at, leaseUntil }))
    if (imported) return imported
    await unpackBatch(db, { seq, id: batch.id })
  }
  const end = batch && (isNext ? batch.lastId : batch.id - 1) - rowId(seq, 0)
  const processed = Math.min(upload.processed + size, end ?? upload.total ?? 0)
  const range = { after: rowId(upload.seq, upload.processed), last: rowId(upload.seq, processed) }
  const matches = await findMatches(db, range, upload)
  const conflictingMatches = matches.filter(match => match.changes !== null)
  await markUnchanged(
    db,
    matches.filter(match => match.changes === null && !match.repeated),
  )
  let letterCount = 0
  if (upload.onConflict === 'fail') await markConflicts(db, conflictingMatches)
  else {
    const updates = conflictingMatches.filter(match => !match.repeated)
    await markUpdates(db, updates)
    if (upload.dryRun) letterCount = await countLetters(db, updates, upload)
    else await logChangedLetters(db, upload, await updateCertificates(db, updates, upload, at), at)
  }
  const { rows, failed, updated, unchanged } = await countRange(db, range)
  if (upload.dryRun) await markWarnings(db, range)
  else await insertNewRows(db, range, upload, at)
  const firstNotKept = await findFirstNotKept(db, range, upload.failed)
  if (rows > failed || firstNotKept <= range.last)
    await storeOutcomes(db, range, { seq: upload.seq, firstNotKept })
  const change = {
    processed,
    created: upload.created + rows - failed - updated - unchanged,
    updated: upload.updated + updated,
    unchanged: upload.unchanged + unchanged,
    failed: upload.failed + failed,
    lettersAffected: upload.lettersAffected + letterCount,
    leaseUntil,
  }
  await changeUpload(db, upload.seq, change)
  return { ...upload, ...change }
}
