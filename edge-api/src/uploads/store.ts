import { repeatedNumberError } from '@portal/contract/admin-uploads'
import { and, asc, count, desc, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { uploadBatches, uploadRows, uploads } from '../db/schema/certificates.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'
import { RECEIVE_LEASE_MS } from './lease.ts'
import type { RowBatch } from './row-batch.ts'
import { rowId } from './row-keys.ts'

export type UploadRow = typeof uploads.$inferSelect

type NewUpload = Pick<
  UploadRow,
  | 'id'
  | 'uploaderId'
  | 'uploaderEmail'
  | 'ipAddress'
  | 'filename'
  | 'dryRun'
  | 'onConflict'
  | 'dateOrder'
  | 'createdAt'
  | 'leaseUntil'
>

/** Number of batches that are removed at a time. */
const DISCARDED_BATCHES = 4

/** Stores an upload whose file is about to be received. @returns its `seq` */
export async function insertUpload(db: Tx, upload: NewUpload): Promise<number> {
  const [row] = await db
    .insert(uploads)
    .values({ ...upload, state: 'receiving', recorded: true })
    .returning({ seq: uploads.seq })
  if (!row) throw new Error('the insert returned no row')
  return row.seq
}

export async function findUpload(db: Reader, { id }: { id: string }): Promise<UploadRow | undefined> {
  const [row] = await db.select().from(uploads).where(eq(uploads.id, id)).limit(1)
  return row
}

export async function getUploadBySeq(db: Reader, seq: number): Promise<UploadRow> {
  const [row] = await db.select().from(uploads).where(eq(uploads.seq, seq)).limit(1)
  if (!row) throw new Error('an upload has disappeared')
  return row
}

/** Returns one page of all uploads, newest first. */
export async function listUploads(
  db: Reader,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: UploadRow[]; total: number }> {
  const rows = await db
    .select()
    .from(uploads)
    .orderBy(desc(uploads.seq))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(uploads)
  return { rows, total: counted?.total ?? 0 }
}

export async function changeUpload(db: Tx, seq: number, change: Partial<UploadRow>): Promise<void> {
  await db.update(uploads).set(change).where(eq(uploads.seq, seq))
}

/** Lists uploads that are not finished and whose process has not renewed its lease. */
export async function listAbandoned(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<UploadRow[]> {
  return await db
    .select()
    .from(uploads)
    .where(
      and(
        sql`untidy`,
        or(lt(uploads.leaseUntil, now), gt(uploads.leaseUntil, now + RECEIVE_LEASE_MS + MAX_CLOCK_SKEW_MS)),
        isNotDeferred('uploads', uploads.id, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(uploads.seq))
    .limit(limit)
}

/** Leases an abandoned upload to this process. @returns false if another process has leased it */
export async function claimAbandoned(
  db: Tx,
  { seq, leaseUntil }: Pick<UploadRow, 'seq' | 'leaseUntil'>,
  until: number,
): Promise<boolean> {
  const result = await db
    .update(uploads)
    .set({ leaseUntil: until })
    .where(and(eq(uploads.seq, seq), sql`${uploads.leaseUntil} is ${leaseUntil}`))
  return result.rowsAffected === 1
}

const repeatError = sql`replace(${repeatedNumberError('#')}, '#', f.line)`

/**
 * Stages rows for the import, in one statement. A row whose number occurs earlier in the file counts as unchanged if its
 * content is the same, and otherwise fails.
 * @param position position of the first of these rows
 */
export async function stageRows(
  db: Tx,
  { seq, position, rows }: { seq: number; position: number; rows: RowBatch },
): Promise<void> {
  const first = rowId(seq, position)
  const last = first + rows.length - 1
  const { earlierPositions } = rows
  const json = sql`cast(${rows.json} as text)`
  if (rows.areInsertable) {
    const report = sql`cast(${rows.report} as text)`
    await db.insert(uploadBatches).values({ id: first, lastId: last, rows: json, report })
    return
  }
  await insertRows(db, { seq, first, json })
  if (earlierPositions.length === 0) return
  await unpackRowsAt(db, { seq, positions: earlierPositions })
  await resolveRepeats(db, sql`id between ${first} and ${last}`)
}

/** Inserts staged rows one by one. @param json SQL expression for the rows as a JSON array */
async function insertRows(
  db: Tx,
  { seq, first, json }: { seq: number; first: number; json: SQL },
): Promise<void> {
  await db.run(sql`
    insert into upload_rows (id, line, certificate_number, student_name, matric_number, course, graduation_date, grade,
      department, folded, first_id, error)
    select ${first} + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
      value ->> 7, value ->> 8, ${rowId(seq, 0)} + (value ->> 9), value ->> 10
    from json_each(${json})`)
}

/** Converts a batch to separate rows, which can be changed one by one. */
export async function unpackBatch(db: Tx, { seq, id }: { seq: number; id: number }): Promise<void> {
  await insertRows(db, { seq, first: id, json: sql`(select rows from upload_batches where id = ${id})` })
  await db.delete(uploadBatches).where(eq(uploadBatches.id, id))
}

/** Converts the batches that contain the rows at these positions to separate rows. */
async function unpackRowsAt(
  db: Tx,
  { seq, positions }: { seq: number; positions: readonly number[] },
): Promise<void> {
  const batches = await db.all<{ id: number }>(sql`
    select id from upload_batches where id in (
      select (select max(id) from upload_batches where id <= ${rowId(seq, 0)} + j.value) from json_each(${JSON.stringify(positions)}) j)
    and id > ${rowId(seq, 0)}`)
  for (const { id } of batches) await unpackBatch(db, { seq, id })
}

/**
 * Sets the outcome of rows whose number occurs earlier in the file: with the same content, a row counts as unchanged; otherwise
 * it fails.
 */
async function resolveRepeats(db: Tx, rows: SQL): Promise<void> {
  // The earlier rows were found by hash, and a row whose number differs despite the same hash is not a repetition.
  await db.run(sql`
    update upload_rows as r set first_id = null
    where ${rows} and first_id is not null and not exists (
      select 1 from upload_rows f where f.id = r.first_id and f.certificate_number = r.certificate_number)`)
  await db.run(sql`
    update upload_rows as r set (outcome, error) = (
      select iif(same, 'unchanged', null), iif(same, null, ${repeatError}) from (
        select f.line, (f.student_name, f.matric_number, f.course, f.graduation_date, f.grade, f.department)
          is (r.student_name, r.matric_number, r.course, r.graduation_date, r.grade, r.department) as same
        from upload_rows f where f.id = r.first_id) f)
    where ${rows} and first_id is not null`)
}

/** Marks rows that were staged as valid as failed, because their encoding is ambiguous. */
export async function failUndecoded(
  db: Tx,
  { seq, positions, error }: { seq: number; positions: readonly number[]; error: string },
): Promise<void> {
  await unpackRowsAt(db, { seq, positions })
  await db.run(sql`
    update upload_rows set error = ${error}, outcome = null, first_id = null
    where id in (select ${rowId(seq, 0)} + value from json_each(${JSON.stringify(positions)}))`)
}

/**
 * Sets the outcome again for rows that repeat the number of a row that has failed since.
 * @param repeats positions, each with the position of the new first row, or 0
 */
export async function resolveRepeatsOfFailed(
  db: Tx,
  { seq, repeats }: { seq: number; repeats: readonly (readonly [position: number, first: number])[] },
): Promise<void> {
  await unpackRowsAt(db, { seq, positions: repeats.flat() })
  const list = JSON.stringify(repeats)
  await db.run(sql`
    update upload_rows set first_id = ${rowId(seq, 0)} + nullif(j.value ->> 1, 0), outcome = null, error = null
    from json_each(${list}) j where upload_rows.id = ${rowId(seq, 0)} + (j.value ->> 0)`)
  await resolveRepeats(db, sql`id in (select ${rowId(seq, 0)} + (value ->> 0) from json_each(${list}))`)
}

/** Removes up to `limit` staged rows of an upload, or some of its batches. @returns false if there were none left */
export async function discardRows(
  db: Tx,
  { seq, after, limit }: { seq: number; after: number; limit: number },
): Promise<boolean> {
  const batches = await db.run(sql`
    delete from upload_batches where id in (
      select id from upload_batches where id > ${rowId(seq, after)} and id < ${rowId(seq + 1, 0)} limit ${DISCARDED_BATCHES})`)
  if (batches.rowsAffected > 0) return true
  const result = await db.run(sql`
    delete from upload_rows where id in (
      select id from upload_rows where id > ${rowId(seq, after)} and id < ${rowId(seq + 1, 0)} limit ${limit})`)
  return result.rowsAffected > 0
}

/** Lists failed rows of an upload as they were in the file, in its order. A page starts after the row `afterId`. */
export async function listFailures(
  db: Reader,
  { seq, afterId = rowId(seq, 0), limit }: { seq: number; afterId?: number | undefined; limit: number },
): Promise<(typeof uploadRows.$inferSelect)[]> {
  return await db
    .select()
    .from(uploadRows)
    .where(
      sql`${uploadRows.id} > ${afterId} and ${uploadRows.id} < ${rowId(seq + 1, 0)} and ${uploadRows.error} is not null`,
    )
    .orderBy(uploadRows.id)
    .limit(limit)
}

/** Pattern for chunks that contain a warning about an added row, in the format of `storeOutcomes` in `import-store.ts`. */
const WARNING_PATTERN = '%,null,"%'

/**
 * Returns the next chunk of compact outcomes, as JSON, starting after a key. With `warned`, chunks without warnings are
 * skipped.
 */
export async function listNextReported(
  db: Reader,
  { seq, afterId, warned = false }: { seq: number; afterId: number; warned?: boolean },
): Promise<{ lastId: number; rows: string } | undefined> {
  const [part] = await db.all<{ lastId: number; rows: string }>(sql`
    select last_id as "lastId", rows from upload_reports
    where upload_seq = ${seq} and last_id > ${afterId} ${warned ? sql`and rows like ${WARNING_PATTERN}` : sql``} order by last_id limit 1`)
  return part
}
