import type { adminUploads, Upload, UploadResult } from '@portal/contract/admin-uploads'
import { paginate } from '@portal/contract/shapes'
import { uploadFields } from '@portal/contract/upload-columns'
import { registerJobMessages, uploadMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import { withLongLog } from '../db/long-log.ts'
import { displayEmail } from '../erased.ts'
import { Fault, invalidField } from '../fault.ts'
import { createCsvResponse } from '../http/csv.ts'
import { respondWithFile } from '../http/file-response.ts'
import { emptyStream } from '../http/head.ts'
import { openFilePart } from '../http/multipart.ts'
import { streamProgress, wantsProgress } from '../http/progress-response.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import type { Ports } from '../ports.ts'
import { iso, isoOrNull } from '../wire.ts'
import { discardUpload, runImport } from './job.ts'
import { LEASE_MS, RECEIVE_LEASE_MS } from './lease.ts'
import { receive } from './receive.ts'
import { failedColumns, readAllRows, readFailedRows, readFirstRows, reportColumns } from './report.ts'
import { findReverts, type Revert } from './reverts-store.ts'
import {
  changeUpload,
  findUpload,
  getUploadBySeq,
  insertUpload,
  listUploads,
  type UploadRow,
} from './store.ts'

const columnsOf = (row: UploadRow) => ({
  date_order: row.dateOrder,
  recognised_columns: row.recognisedColumns ?? [],
  ignored_columns: row.ignoredColumns ?? [],
})

const isRevertible = ({ recorded, dryRun, state, created, updated }: UploadRow) =>
  recorded && !dryRun && (state === 'done' || state === 'cancelled') && created + updated > 0

const toUpload = (row: UploadRow, revert: Revert | undefined): Upload => ({
  id: row.id,
  filename: row.filename,
  uploader_email: displayEmail(row.uploaderEmail),
  state: row.state,
  dry_run: row.dryRun,
  on_conflict: row.onConflict,
  ...columnsOf(row),
  total: row.total,
  processed: row.processed,
  succeeded: row.created + row.updated + row.unchanged,
  failed: row.failed,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  error: row.error,
  created_at: iso(row.createdAt),
  finished_at: isoOrNull(row.finishedAt),
  revertible: isRevertible(row) && !revert,
  reverted_by: revert ? displayEmail(revert.authorEmail) : null,
  reverted_at: isoOrNull(revert?.finishedAt ?? null),
})

async function toUploads(db: Reader, rows: readonly UploadRow[]): Promise<Upload[]> {
  const reverts = await findReverts(db, { targetIds: rows.map(({ id }) => id) })
  return rows.map(row => toUpload(row, reverts.get(row.id)))
}

async function readUploadReply(db: Reader, row: UploadRow): Promise<Upload> {
  const reverts = await findReverts(db, { targetIds: [row.id] })
  return toUpload(row, reverts.get(row.id))
}

async function uploadOrFail(db: Reader, id: string): Promise<UploadRow> {
  const row = await findUpload(db, { id })
  if (!row) throw new Fault('NOT_FOUND', { message: registerJobMessages.noUpload })
  return row
}

/**
 * Returns the result of an upload, with the first rows of its report.
 * @throws Fault `DATABASE_UNAVAILABLE` if this process is ending, and the next process continues the import
 */
async function buildResult(ports: Ports, row: UploadRow): Promise<UploadResult> {
  if (row.state === 'importing') {
    throw new Fault('DATABASE_UNAVAILABLE', {
      message:
        'The service is being restarted. The file has arrived and its import continues: see Upload Reports.',
      retryAfter: 10,
    })
  }
  // Opens its own database handle, because a streamed response may take longer than the request, whose handle is then closed.
  const db = ports.openDatabase()
  try {
    const { id, state, dry_run, succeeded, failed, created, updated, unchanged } = toUpload(row, undefined)
    return {
      upload_id: id,
      state,
      dry_run,
      ...columnsOf(row),
      report: await readFirstRows(db.read, row),
      summary: { total: row.total ?? 0, succeeded, failed },
      outcomes: { created, updated, unchanged },
      letters_affected: row.lettersAffected,
    }
  } finally {
    db.close()
  }
}

/** Returns the file name without folders, which some browsers include. */
const baseName = (filename: string) => (filename.split(/[\\/]/).at(-1) ?? '').slice(0, 200)

type UploadCall = Call<typeof adminUploads.upload>

/** Stages the file of a call. If that fails, the reason is stored with the upload, and the register has not changed. */
async function receiveFile(
  { db, ports, user, query, address }: UploadCall,
  { filename, bytes }: { filename: string; bytes: AsyncGenerator<Uint8Array> },
): Promise<number> {
  const at = ports.clock.now()
  const seq = await db.write(tx =>
    insertUpload(tx, {
      id: crypto.randomUUID(),
      uploaderId: user.id,
      uploaderEmail: user.email,
      ipAddress: address,
      filename: baseName(filename),
      dryRun: query.dry_run,
      onConflict: query.on_conflict,
      dateOrder: query.date_order ?? null,
      createdAt: at,
      leaseUntil: at + RECEIVE_LEASE_MS,
    }),
  )
  try {
    const dateOrder = query.date_order ?? null
    const total = await withLongLog(db, () => receive(ports, db, { seq, bytes, dateOrder }))
    await db.write(tx =>
      changeUpload(tx, seq, { total, state: 'importing', leaseUntil: ports.clock.now() + LEASE_MS }),
    )
    return seq
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
    const { cancelRequested } = await getUploadBySeq(db.read, seq)
    const isInterrupted = fault.code === 'VALIDATION_ERROR' || fault.code === 'INTERNAL_ERROR'
    const state = cancelRequested ? 'cancelled' : isInterrupted ? 'interrupted' : 'failed'
    ports.background(discardInBackground(ports, seq, { state, error: fault.message }))
    throw error
  }
}

async function discardInBackground(
  ports: Ports,
  seq: number,
  outcome: Parameters<typeof discardUpload>[3],
): Promise<void> {
  const db = ports.openDatabase()
  try {
    await discardUpload(ports, db, seq, outcome)
  } finally {
    db.close()
  }
}

async function upload(call: UploadCall): Promise<UploadResult | Response> {
  const { ports, request } = call
  const part = await openFilePart(request, { name: 'file', limit: ports.uploadLimit })
  if (!part) throw invalidField('file', uploadMessages.noFile)
  try {
    if (!/\.csv$/i.test(part.filename)) throw invalidField('file', uploadMessages.notCsv)
    const seq = await receiveFile(call, part)
    if (wantsProgress(call.header('accept'))) {
      const { requestId } = call
      return streamProgress(ports, { requestId, event: 'upload' }, async report => {
        const latest = await runImport(ports, seq, {
          abortSignal: ports.finalStop,
          onProgress: ({ id, processed, total, state }) =>
            report(
              { processed, ...(total !== null && { total }), upload_id: id },
              { last: state !== 'importing' },
            ),
        })
        return buildResult(ports, latest)
      })
    }
    const importing = runImport(ports, seq, { abortSignal: ports.finalStop })
    // Lets the import continue even if the client disconnects.
    ports.background(importing)
    return await buildResult(ports, await importing)
  } catch (error) {
    await part.drain()
    throw error
  }
}

const createCsvFileResponse = (name: string, body: BodyInit) =>
  respondWithFile(body, 'text/csv; charset=utf-8', name)

type ListCall = Pick<Call<typeof adminUploads.list>, 'db' | 'query'>

async function list({ db, query }: ListCall) {
  const { rows, total } = await listUploads(db.read, { page: query.page, perPage: query.per_page })
  return { uploads: await toUploads(db.read, rows), pagination: paginate(query.page, query.per_page, total) }
}

export const uploadHandlers: HandlersOf<typeof adminUploads> = {
  template: async () => createCsvFileResponse('certificate_upload_template.csv', uploadFields.join(',')),
  upload,
  list,
  history: list,

  read: async ({ db, params }) => ({
    upload: await readUploadReply(db.read, await uploadOrFail(db.read, params.id)),
  }),

  cancel: async ({ db, params }) => {
    const row = await db.write(async tx => {
      const found = await uploadOrFail(tx, params.id)
      if (found.state === 'receiving' || found.state === 'importing')
        await changeUpload(tx, found.seq, { cancelRequested: true })
      return found
    })
    const ended = row.state !== 'receiving' && row.state !== 'importing'
    return {
      message: ended
        ? uploadMessages.ended
        : 'The upload is being cancelled. Certificates added so far stay in the register.',
      upload: await readUploadReply(db.read, row),
    }
  },

  rows: async ({ db, params }) => {
    return { report: await readFirstRows(db.read, await uploadOrFail(db.read, params.id)) }
  },

  report: async ({ db, params, query, ports, requestId, isHead }) => {
    const { seq, recognisedColumns } = await uploadOrFail(db.read, params.id)
    const failedOnly = query.rows !== 'all'
    const name = failedOnly ? 'certificate_upload_failed_rows.csv' : 'certificate_upload_report.csv'
    if (isHead) return createCsvFileResponse(name, emptyStream())
    const database = ports.openDatabase()
    const response = await createCsvResponse(
      {
        title: 'Upload report',
        file: 'report',
        columns: failedOnly ? failedColumns(recognisedColumns) : reportColumns,
      },
      failedOnly
        ? readFailedRows(database.read, seq, { conflicts: query.rows === 'conflicts' })
        : readAllRows(database.read, seq),
      {
        now: ports.clock.now(),
        onEnd: () => database.close(),
        onError: () => ports.log({ level: 'error', event: 'upload_report', request_id: requestId }),
      },
    )
    return createCsvFileResponse(name, response.body)
  },
}
