import { type SQL, sql } from 'drizzle-orm'
import { runOnThread } from '../db/background-thread.ts'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { rowId } from './row-keys.ts'
import { isLarge } from './search-index-store.ts'
import { changeUpload, type UploadRow } from './store.ts'

/* Imports batches of an upload in which all rows are new. Other rows are imported one by one by `import-store.ts`. */

/** Keys of the first and last row of a batch, or of several adjoining batches. */
export interface Batch {
  id: number
  lastId: number
}

/** Lists the next batches of an upload, in order, starting at a row. */
export async function listNextBatches(
  db: Tx,
  { seq, from, limit }: { seq: number; from: number; limit: number },
): Promise<Batch[]> {
  return await db.all<Batch>(sql`
    select id, last_id as "lastId" from upload_batches
    where id >= ${from} and id < ${rowId(seq + 1, 0)} order by id limit ${limit}`)
}

/** Joins the first batch with those that follow it without a gap. */
export function joinAdjoining([first, ...others]: readonly Batch[]): Batch | undefined {
  if (!first) return undefined
  let { lastId } = first
  for (const batch of others) if (batch.id === lastId + 1) lastId = batch.lastId
  return { id: first.id, lastId }
}

/** Returns the first part of a UUIDv7, so that the rows of one import are adjacent in the index of IDs, which is faster. */
function buildIdPrefix(at: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/**
 * Adds certificates to the register.
 * @param values expressions for number, name, matric number, course, date, grade, department and folded text of each row
 * @param rows the `from` clause, with the order of the rows
 */
export async function insertCertificates(
  db: Tx,
  { values, rows }: { values: SQL; rows: SQL },
  { seq }: UploadRow,
  at: number,
): Promise<void> {
  // A single statement, because the search index is flushed to the file before each one. It must contain no personal data,
  // because traces show its text.
  await runOnThread(
    db,
    sql`
    insert into certificates (certificate_number, student_name, matric_number, course, graduation_date, grade, department,
      folded, id, uploader_email, uploaded_at, updated_at, upload_seq)
    select ${values}, ${buildIdPrefix(at)} || substr(lower(hex(randomblob(2))), 2) || '-a' ||
      substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))), (select uploader_email from uploads where seq = ${seq}), ${at}, ${at}, ${seq} ${rows}`,
  )
}

/**
 * Imports adjoining batches, if all of their rows are new, which means that none of the numbers is in the register.
 * @returns the upload afterwards; undefined if one of the numbers is in the register, in which case nothing has changed
 */
export async function importBatches(
  db: Tx,
  upload: UploadRow,
  { batches: { id, lastId }, at, leaseUntil }: { batches: Batch; at: number; leaseUntil: number },
): Promise<UploadRow | undefined> {
  const { seq } = upload
  const values = sql.raw([1, 2, 3, 4, 5, 6, 7, 8].map(index => `row ->> ${index}`).join(', '))
  const batches = sql`from upload_batches as b where b.id between ${id} and ${lastId}`
  try {
    // Many rows are sorted by number, so that the statement changes each page of that index only once.
    const order = isLarge(upload) ? sql`order by j.value ->> 1` : sql``
    // Materialized, because SQLite would otherwise parse each row again for each of its values.
    const rows = sql`from (
      with unpacked as materialized (
        select jsonb(j.value) as row from upload_batches b cross join json_each(b.rows) j
        where b.id between ${id} and ${lastId} ${order})
      select row from unpacked)`
    await insertCertificates(db, { values, rows }, upload, at)
  } catch (error) {
    // The database has rolled back only this statement.
    if (isUniqueViolation(error)) return undefined
    throw error
  }
  await db.run(sql`
    insert into upload_reports (upload_seq, last_id, rows)
    select ${seq}, last_id, coalesce(report, (
      select json_group_array(json_array(j.value ->> 0, substr(j.value ->> 1, 1, 100), null, null)) from json_each(b.rows) j))
    ${batches}`)
  await db.run(sql`delete ${batches}`)
  const created = upload.created + lastId - id + 1
  const change = { processed: lastId - rowId(seq, 0), created, leaseUntil }
  await changeUpload(db, seq, change)
  return { ...upload, ...change }
}
