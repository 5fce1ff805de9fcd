import { institutionDay } from '@portal/contract/graduation-date'
import { type DateOrder, DateOrderEvidence, DEFAULT_ORDER } from '@portal/contract/upload-dates'
import { CsvReader, type CsvRecord, NotCsv } from '@portal/format/csv-reader'
import { asWindows1252, FileEncoding } from '@portal/format/encoding'
import { formatCount } from '@portal/format/numbers'
import { uploadMessages } from '@portal/rules/messages'
import { toSearchText } from '../certificates/search.ts'
import type { Database, Tx } from '../db/database.ts'
import { copyLog } from '../db/long-log.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { yieldToOthers } from '../queues/yield-to-others.ts'
import { createUnreadableFault, decode } from './decoding.ts'
import { RECEIVE_LEASE_MS } from './lease.ts'
import { RowBatch, type StagedRow } from './row-batch.ts'
import { dateOf, isBlank, type RowFormat, readHeader, readRow } from './rows.ts'
import { SeenNumbers } from './seen-numbers.ts'
import { changeUpload, failUndecoded, getUploadBySeq, resolveRepeatsOfFailed, stageRows } from './store.ts'

/** Number of rows per transaction, and per batch that is imported as a whole. */
const BATCH_SIZE = 4000
/** Number of batches after which the write-ahead log is copied into the file; by then it has about 30,000 pages. */
const COPY_EVERY_BATCHES = 100

const UNDECODED_ERROR = uploadMessages.mixedEncodings

/** Converts the records of a file to rows to be staged. The header comes first. */
class Sheet {
  #header: (ReturnType<typeof readHeader> & RowFormat) | undefined
  readonly #dates = new DateOrderEvidence()
  readonly #seen = new SeenNumbers()
  /** In a file of mixed encodings: the numbers of rows whose encoding is unambiguous. Set once there is an ambiguous row. */
  #certainNumbers: SeenNumbers | undefined
  readonly #encoding: FileEncoding
  readonly #options: { dateOrder: DateOrder | null; today: string }
  /** Number of rows so far. */
  rowCount = 0
  /** Positions of rows that will fail if the file turns out to have mixed encodings. */
  readonly ambiguousPositions: number[] = []
  /**
   * Rows that repeat the number of an ambiguous row, each with the position of the first unambiguous row that has this number,
   * or 0.
   */
  readonly repeats: [position: number, first: number][] = []

  constructor(encoding: FileEncoding, options: { dateOrder: DateOrder | null; today: string }) {
    this.#encoding = encoding
    this.#options = options
  }

  /** Frees the memory of the numbers, once there are no more rows. */
  forgetNumbers(): void {
    this.#seen.clear()
    this.#certainNumbers?.clear()
  }

  get hasHeader(): boolean {
    return this.#header !== undefined
  }

  /** Returns the columns of the header, once it has been read. */
  get columns() {
    if (!this.#header) return {}
    const { recognised, ignored } = this.#header
    return { recognisedColumns: recognised.map(({ field }) => field), ignoredColumns: [...ignored] }
  }

  /** Returns the reason why the dates in the file are ambiguous; undefined if they are not, or a date order was chosen. */
  get dateAmbiguity(): string | undefined {
    if (!this.#header || this.#options.dateOrder !== null) return undefined
    return this.#dates.describeConflict(this.#header.dateOrder)
  }

  /**
   * Converts one record: the first is the header, and all others are rows.
   * @throws Fault `INVALID_CSV` if the header lacks columns
   */
  read({ line, cells: raw, damaged }: CsvRecord): StagedRow | undefined {
    if (isBlank(raw)) return undefined
    const reading = this.#encoding.observe(raw.join(' '), line)
    const cells = reading === 'not utf-8' ? raw.map(asWindows1252) : raw
    if (!this.#header) {
      const header = readHeader(cells)
      const { dateOrder, today } = this.#options
      this.#header = { ...header, today, dateOrder: dateOrder ?? header.dateOrder ?? DEFAULT_ORDER }
      return undefined
    }
    const position = ++this.rowCount
    const isCertain = reading === 'ascii' || reading === 'utf-8'
    if (!isCertain) {
      this.#certainNumbers ??= this.#seen.copy()
      this.ambiguousPositions.push(position)
    }
    if (damaged) {
      const text = (cells[0] ?? '').slice(0, 300)
      return [line, '', text, null, '', '', '', '', null, null, uploadMessages.openQuote]
    }
    this.#dates.add(dateOf(cells, this.#header.columnMap), line)
    const { values, error } = readRow(cells, this.#header)
    const [number = '', name = '', matric = '', course = '', date = '', grade = '', department = ''] = values
    if (error !== undefined)
      return [line, number, name, matric || null, course, date, grade, department, null, null, error]
    const firstPosition = this.#seen.add(number, position) || null
    const certainPosition = (isCertain && this.#certainNumbers?.add(number, position)) || 0
    if (isCertain && this.#certainNumbers && (firstPosition ?? 0) !== certainPosition)
      this.repeats.push([position, certainPosition])
    const folded = toSearchText(number, name, course)
    return [line, number, name, matric || null, course, date, grade, department, folded, firstPosition, null]
  }
}

/**
 * Reads a file as it arrives, checks every row, and stages the rows outside the register, which is not changed yet.
 * @returns the number of rows
 * @throws Fault `INVALID_CSV` if the file is not a CSV with the template's columns, `PAYLOAD_TOO_LARGE`, or an error thrown
 * while reading
 */
export async function receive(
  ports: Ports,
  db: Database,
  { seq, bytes, dateOrder }: { seq: number; bytes: AsyncIterable<Uint8Array>; dateOrder: DateOrder | null },
): Promise<number> {
  const maxRows = ports.environment.UPLOAD_MAX_ROWS
  const reader = new CsvReader()
  const { pieces, hasByteOrderMark } = await decode(bytes)
  const encoding = new FileEncoding({ hasByteOrderMark })
  const sheet = new Sheet(encoding, { dateOrder, today: institutionDay(ports.clock.now()) })
  const batch = new RowBatch()
  let stagedCount = 0
  let batchesSinceCopy = 0
  let renewedAt = ports.clock.now()

  /** Changes staged rows, and renews the lease. @throws Fault if the upload was cancelled */
  async function writeUnlessCancelled(work: (tx: Tx) => Promise<void>): Promise<void> {
    await db.write(async tx => {
      const { cancelRequested, state } = await getUploadBySeq(tx, seq)
      // The state also changes if nothing has arrived for too long, because another process then ends the upload.
      if (cancelRequested || state !== 'receiving') throw invalidField('file', 'The upload was cancelled.')
      await work(tx)
      await changeUpload(tx, seq, { ...sheet.columns, leaseUntil: ports.clock.now() + RECEIVE_LEASE_MS })
    })
    renewedAt = ports.clock.now()
    await yieldToOthers()
  }

  async function flush(): Promise<void> {
    const position = stagedCount + 1
    stagedCount += batch.length
    await writeUnlessCancelled(async tx => {
      if (batch.length > 0) await stageRows(tx, { seq, position, rows: batch })
    })
    batch.clear()
    if (++batchesSinceCopy < COPY_EVERY_BATCHES) return
    await copyLog(db)
    batchesSinceCopy = 0
  }

  async function addRecords(records: Iterable<CsvRecord>): Promise<void> {
    for (const record of records) {
      const row = sheet.read(record)
      if (row) batch.add(row)
      if (sheet.rowCount > maxRows)
        throw new Fault('PAYLOAD_TOO_LARGE', {
          message: `The file has too many rows. The limit is ${formatCount(maxRows)} rows.`,
        })
      if (batch.length >= BATCH_SIZE) await flush()
    }
  }

  try {
    for await (const text of pieces) {
      await addRecords(reader.push(text))
      // Also stages an incomplete batch, because on a slow connection a whole one may take longer than the lease.
      if (ports.clock.now() - renewedAt > RECEIVE_LEASE_MS / 4) await flush()
    }
    await addRecords(reader.end())
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error
    throw error.reason === 'nul'
      ? createUnreadableFault(`Line ${error.line} has a NUL character, so this is not a text file.`)
      : new Fault('INVALID_CSV', {
          message: `Line ${error.line} is far too long for a row. Please compare the file with the template.`,
        })
  }
  if (!sheet.hasHeader)
    throw new Fault('INVALID_CSV', { message: 'The file is empty. Please use the template.' })
  if (sheet.rowCount === 0)
    throw new Fault('INVALID_CSV', {
      message: uploadMessages.empty,
    })
  await flush()
  sheet.forgetNumbers()
  if (encoding.misreadLine !== undefined)
    throw createUnreadableFault(
      `The encoding of this file cannot be recognised (see line ${encoding.misreadLine}).`,
    )
  if (sheet.dateAmbiguity !== undefined) throw new Fault('INVALID_CSV', { message: sheet.dateAmbiguity })
  if (encoding.mixed) {
    for (const positions of chunksOf(sheet.ambiguousPositions, BATCH_SIZE))
      await writeUnlessCancelled(tx => failUndecoded(tx, { seq, positions, error: UNDECODED_ERROR }))
    for (const repeats of chunksOf(sheet.repeats, BATCH_SIZE))
      await writeUnlessCancelled(tx => resolveRepeatsOfFailed(tx, { seq, repeats }))
  }
  return stagedCount
}

function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
