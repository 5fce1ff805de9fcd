import { searchable } from '../certificates/search.ts'
import type { Database } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { CsvReader, type CsvRecord, LineTooLong } from './csv-reader.ts'
import { decode } from './decoding.ts'
import { RECEIVE_LEASE } from './lease.ts'
import { type ColumnMap, isBlank, readHeader, readRow } from './rows.ts'
import { SeenNumbers } from './seen-numbers.ts'
import { changeUpload, type StagedRow, stageRows, uploadBySeq } from './store.ts'

/** Rows a transaction: some 15 ms, after which others have their turn. */
const BATCH = 2000

/** Lets whatever else waits for the process have its turn: the native driver and the parser give none by themselves. */
export const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 0))

/** Turns the records of a file into rows to be staged, the header first. */
class Sheet {
  #header: { map: ColumnMap; width: number; line: number } | undefined
  readonly #seen = new SeenNumbers()
  /** Rows so far. */
  places = 0

  get hasHeader(): boolean {
    return this.#header !== undefined
  }

  /** @throws Fault `INVALID_CSV` for a header that lacks columns */
  read({ line, cells, damaged }: CsvRecord): StagedRow | undefined {
    if (isBlank(cells)) return undefined
    if (!this.#header) {
      if (line === 1 && cells.length <= 2 && /^sep=/i.test(cells[0] ?? '')) return undefined
      this.#header = { map: readHeader(cells), width: cells.length, line }
      return undefined
    }
    const { map, width } = this.#header
    this.places++
    // The header is row 1, wherever it stands.
    const row = line - this.#header.line + 1
    if (damaged) {
      const text = (cells[0] ?? '').slice(0, 300)
      return [row, '', text, null, '', '', '', '', null, null, 'A quotation mark on this line is not closed.']
    }
    const { values, error } = readRow(cells, map, width)
    const [number = '', name = '', matric = '', course = '', date = '', grade = '', department = ''] = values
    if (error !== undefined)
      return [row, number, name, matric || null, course, date, grade, department, null, null, error]
    const first = this.#seen.add(number, this.places) || null
    const folded = searchable(number, name, course)
    return [row, number, name, matric || null, course, date, grade, department, folded, first, null]
  }
}

/**
 * Reads a file as it arrives, checks every row and keeps them beside the register, which does not change yet.
 * @returns how many rows there are
 * @throws Fault `INVALID_CSV` when it is no CSV with the template's columns, `PAYLOAD_TOO_LARGE`, or what reading threw
 */
export async function receive(
  ports: Ports,
  db: Database,
  { seq, bytes }: { seq: number; bytes: AsyncIterable<Uint8Array> },
): Promise<number> {
  const reader = new CsvReader()
  const sheet = new Sheet()
  let batch: StagedRow[] = []
  let staged = 0
  let renewed = ports.clock.now()

  async function flush(): Promise<void> {
    const rows = batch
    batch = []
    const place = staged + 1
    staged += rows.length
    await db.write(async tx => {
      const { cancelRequested, state } = await uploadBySeq(tx, seq)
      // Given up meanwhile, when the line was silent for too long.
      if (cancelRequested || state !== 'receiving') throw invalidField('file', 'The upload was cancelled.')
      if (rows.length > 0) await stageRows(tx, { seq, place, rows })
      await changeUpload(tx, seq, { leaseUntil: ports.clock.now() + RECEIVE_LEASE })
    })
    renewed = ports.clock.now()
    await breathe()
  }

  async function take(records: Iterable<CsvRecord>): Promise<void> {
    for (const record of records) {
      const row = sheet.read(record)
      if (row) batch.push(row)
      if (batch.length >= BATCH) await flush()
    }
  }

  try {
    for await (const text of decode(bytes)) {
      await take(reader.push(text))
      // On a slow line a batch takes longer than the lease.
      if (ports.clock.now() - renewed > RECEIVE_LEASE / 4) await flush()
    }
    await take(reader.end())
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error
    throw new Fault('INVALID_CSV', {
      message: `Line ${error.line} is far too long for a row. Please compare the file with the template.`,
    })
  }
  if (!sheet.hasHeader)
    throw new Fault('INVALID_CSV', { message: 'The file is empty. Please use the template.' })
  await flush()
  return staged
}
