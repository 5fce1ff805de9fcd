import { formatCount } from '@portal/format/numbers'
import type { Database, Tx } from '../db/database.ts'
import { copyLog, withLongLog } from '../db/long-log.ts'
import { notifyHoldersSoon } from '../letter-holders/status-changes.ts'
import { recordLogEntry } from '../logs/store.ts'
import type { Ports } from '../ports.ts'
import { runQueue, SKIPPED } from '../queues/run-queue.ts'
import { yieldToOthers } from '../queues/yield-to-others.ts'
import { importChunk } from './import-store.ts'
import { LEASE_MS } from './lease.ts'
import { isLarge, mergeSegments, mergeSegmentsLater, restoreMergeSettings } from './search-index-store.ts'
import {
  changeUpload,
  claimAbandoned,
  discardRows,
  getUploadBySeq,
  listAbandoned,
  type UploadRow,
} from './store.ts'

/**
 * Number of rows per transaction, if they are not imported as a batch (`receive.ts`). Each transaction blocks the portal for 40
 * to 150 ms, because the native driver is synchronous. With smaller ones, the import would take several times as long, because
 * each ends with a write to disk and adds a segment to the search index.
 */
const CHUNK_SIZE = 2000
/**
 * Number of batches that a large import inserts in one statement, if all of their rows are new. Rows are in random order, so
 * each transaction writes most pages of an index again, and each statement adds a segment to the search index. Other writes
 * wait for the statement.
 */
const BATCHES_PER_STATEMENT = 2
/**
 * Maximum number of such statements in one transaction, as long as no other write is waiting for it. A page of an index is then
 * written only once for all of them. Writes of other processes are not known here, so they wait for all of these statements.
 */
const MAX_STATEMENTS = 6
/** For how long such a transaction may begin another statement, in milliseconds. */
const MAX_TRANSACTION_MS = 2000
/** Number of statements after which the write-ahead log is copied into the file; by then it has about 50,000 pages. */
const COPY_EVERY_STATEMENTS = 6
/** Maximum number of staged rows that one transaction of the clean-up removes. */
const DISCARDED_ROWS_PER_TRANSACTION = 10_000

const describeCounts = ({ filename, created, updated, unchanged, failed }: UploadRow) =>
  `${filename}: ${formatCount(created)} added, ${formatCount(updated)} updated, ${formatCount(unchanged)} unchanged, ${formatCount(failed)} failed`

async function finish(
  db: Parameters<typeof changeUpload>[0],
  upload: UploadRow,
  { state, at }: { state: 'done' | 'cancelled'; at: number },
): Promise<UploadRow> {
  const change = {
    state,
    finishedAt: at,
    // Rows beyond the cursor of a cancelled upload must still be removed, and after a large upload, segments must be merged.
    untidy: state === 'cancelled' || isLarge(upload),
  }
  await changeUpload(db, upload.seq, change)
  if (isLarge(upload)) await restoreMergeSettings(db)
  const activity = upload.dryRun ? 'Certificate upload dry run' : 'Certificates uploaded'
  await recordLogEntry(db, {
    userId: upload.uploaderId,
    userEmail: upload.uploaderEmail,
    ipAddress: upload.ipAddress,
    activity: state === 'cancelled' ? 'Certificate upload cancelled' : activity,
    details: describeCounts(upload),
    at,
  })
  return { ...upload, ...change }
}

/**
 * Imports staged rows into the register in short transactions, so that the portal stays responsive.
 * @param options `onProgress` is called after each transaction; `abortSignal` is aborted when the process is about to end
 * @returns the upload: done, cancelled, or still importing and left to the next process
 */
export async function runImport(
  ports: Ports,
  seq: number,
  {
    onProgress = () => undefined,
    abortSignal = ports.stopping,
  }: { onProgress?: (upload: UploadRow) => void; abortSignal?: AbortSignal } = {},
): Promise<UploadRow> {
  const db = ports.openDatabase()
  try {
    return await withLongLog(db, () => importAll(ports, db, { seq, onProgress, abortSignal }))
  } finally {
    db.close()
  }
}

/** The effects of one transaction of an import. */
interface Progress {
  upload: UploadRow
  /** Number of its statements that inserted rows. */
  statements: number
  /**
   * False if the rows of its last statement were not all new. A file that contains one number of the register usually contains
   * more.
   */
  areNew: boolean
}

/**
 * Imports the next rows. A large import runs several statements, as long as their rows are new and `mustCommit` returns false.
 */
async function importRows(
  tx: Tx,
  upload: UploadRow,
  { at, areNew, mustCommit }: { at: number; areNew: boolean; mustCommit: () => boolean },
): Promise<Progress> {
  const maxStatements = isLarge(upload) ? MAX_STATEMENTS : 1
  const progress = { upload, statements: 0, areNew }
  do {
    const { created, processed } = progress.upload
    const batches = progress.areNew && isLarge(upload) ? BATCHES_PER_STATEMENT : 1
    const updated = await importChunk(tx, progress.upload, {
      size: CHUNK_SIZE,
      batches,
      at,
      leaseUntil: at + LEASE_MS,
    })
    progress.upload = updated
    progress.statements++
    progress.areNew = updated.created - created === updated.processed - processed
    if (updated.processed === updated.total)
      progress.upload = await finish(tx, updated, { state: 'done', at })
  } while (
    progress.upload.state === 'importing' &&
    progress.areNew &&
    progress.statements < maxStatements &&
    !mustCommit()
  )
  return progress
}

interface Import {
  seq: number
  onProgress: (upload: UploadRow) => void
  abortSignal: AbortSignal
}

/** Imports the next rows in one transaction, which may be retried, because it has no other effects. */
async function importInTransaction(
  ports: Ports,
  db: Database,
  { seq, areNew, abortSignal }: Pick<Import, 'seq' | 'abortSignal'> & Pick<Progress, 'areNew'>,
): Promise<Progress> {
  return await db.write(async tx => {
    const upload = await getUploadBySeq(tx, seq)
    const at = ports.clock.now()
    if (upload.state !== 'importing') return { upload, statements: 0, areNew }
    if (upload.cancelRequested)
      return { upload: await finish(tx, upload, { state: 'cancelled', at }), statements: 0, areNew }
    if (upload.processed === 0 && isLarge(upload)) await mergeSegmentsLater(tx)
    const mustCommit = () =>
      abortSignal.aborted || db.isWriteWaiting() || ports.clock.now() - at > MAX_TRANSACTION_MS
    return await importRows(tx, upload, { at, areNew, mustCommit })
  })
}

async function importAll(
  ports: Ports,
  db: Database,
  { seq, onProgress, abortSignal }: Import,
): Promise<UploadRow> {
  let areNew = true
  let statementsSinceCopy = 0
  for (;;) {
    const progress = await importInTransaction(ports, db, { seq, areNew, abortSignal })
    const { upload, statements } = progress
    areNew = progress.areNew
    onProgress(upload)
    if (upload.state !== 'importing') return await completeImport(ports, db, upload)
    if (abortSignal.aborted) {
      await db.write(tx => changeUpload(tx, seq, { leaseUntil: ports.clock.now() - 1 }))
      return upload
    }
    statementsSinceCopy += statements
    // Copies the log outside a transaction, so that other writes need not wait.
    if (isLarge(upload) && statementsSinceCopy >= COPY_EVERY_STATEMENTS) {
      await copyLog(db)
      statementsSinceCopy = 0
    }
    await yieldToOthers()
  }
}

/** Notifies letter holders of changes and cleans up, after an import that is done or cancelled. */
async function completeImport(ports: Ports, db: Database, upload: UploadRow): Promise<UploadRow> {
  if (upload.updated > 0) notifyHoldersSoon(ports)
  if (upload.state === 'cancelled') await cleanUp(ports, db, upload)
  else if (upload.untidy) ports.background(cleanUpLater(ports, upload))
  return upload
}

/** Marks an upload whose file is not imported, and removes its staged rows. */
export async function discardUpload(
  ports: Ports,
  db: Database,
  seq: number,
  { state, error }: { state: 'failed' | 'interrupted' | 'cancelled'; error: string },
): Promise<void> {
  const at = ports.clock.now()
  const upload = await db.write(async tx => {
    await changeUpload(tx, seq, { state, error, finishedAt: at, leaseUntil: at + LEASE_MS })
    const row = await getUploadBySeq(tx, seq)
    await recordLogEntry(tx, {
      userId: row.uploaderId,
      userEmail: row.uploaderEmail,
      ipAddress: row.ipAddress,
      activity: `Certificate upload ${state}`,
      details: `${row.filename}: ${error}`,
      at,
    })
    return row
  })
  await cleanUp(ports, db, upload)
}

/**
 * Does one transaction of the clean-up: removes rows beyond the cursor and, once there are none, merges segments of the search
 * index. Failed rows before the cursor are kept, because they belong to the report.
 * @returns true if there is more to do
 */
async function cleanUpStep(tx: Tx, upload: UploadRow): Promise<boolean> {
  const { seq, processed } = upload
  const discarded = await discardRows(tx, { seq, after: processed, limit: DISCARDED_ROWS_PER_TRANSACTION })
  return discarded || (isLarge(upload) && (await mergeSegments(tx)))
}

/** Cleans up after an upload, in short transactions, while holding the upload's lease. */
async function cleanUp(ports: Ports, db: Database, upload: UploadRow): Promise<void> {
  let hasMore = true
  while (hasMore) {
    if (upload.state === 'done' && ports.stopping.aborted) return
    hasMore = await db.write(async tx => {
      await changeUpload(tx, upload.seq, { leaseUntil: ports.clock.now() + LEASE_MS })
      return await cleanUpStep(tx, upload)
    })
    await yieldToOthers()
  }
  await db.write(tx => changeUpload(tx, upload.seq, { untidy: false, leaseUntil: null }))
}

/**
 * Cleans up in the background, because the response does not depend on it. If the process ends before it is done, the scheduler
 * continues.
 */
async function cleanUpLater(ports: Ports, upload: UploadRow): Promise<void> {
  const db = ports.openDatabase()
  try {
    await withLongLog(db, () => cleanUp(ports, db, upload))
  } finally {
    db.close()
  }
}

/** Maximum number of uploads that one run continues in parallel. */
const CONCURRENCY = 4

/**
 * Continues uploads whose process has died. An import continues where it stopped; an incomplete file is discarded. Called by
 * the scheduler. This may take minutes, but other queues do not wait for it.
 */
export async function resumeUploads(ports: Ports, db: Database): Promise<number> {
  if (ports.stopping.aborted) return 0
  return await runQueue(ports, db, {
    name: 'uploads',
    listDue: range => listAbandoned(db.read, range),
    idOf: ({ id }) => id,
    concurrency: CONCURRENCY,
    async processItem(upload) {
      const leaseUntil = ports.clock.now() + LEASE_MS
      if (!(await db.write(tx => claimAbandoned(tx, upload, leaseUntil)))) return SKIPPED
      try {
        await resume(ports, db, upload)
      } catch (error) {
        // Ends the lease: the upload is now deferred, which sets the time of the next attempt.
        await db
          .write(tx => changeUpload(tx, upload.seq, { leaseUntil: ports.clock.now() - 1 }))
          .catch(() => undefined)
        throw error
      }
      return undefined
    },
  })
}

async function resume(ports: Ports, db: Database, upload: UploadRow): Promise<void> {
  if (upload.state === 'importing') await runImport(ports, upload.seq)
  else if (upload.state === 'receiving') {
    const error = 'The file is incomplete. Nothing was changed; please upload it again.'
    await discardUpload(ports, db, upload.seq, { state: 'interrupted', error })
  } else await cleanUp(ports, db, upload)
}
