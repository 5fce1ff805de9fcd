import { FAILED_ROWS_KEPT, REPORT_ROWS, valuesNotStoredError } from '@portal/contract/admin-uploads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCounterDifferences } from '../../test/recount.ts'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from '../../test/temporary-database.ts'
import { listCertificates } from '../certificates/store.ts'
import type { Ports } from '../ports.ts'
import { resumeUploads, runImport } from './job.ts'
import { readAllRows, readFailedRows, readFirstRows } from './report.ts'
import { RowBatch, type StagedRow } from './row-batch.ts'
import { rowId } from './row-keys.ts'
import { LARGE_UPLOAD_ROWS } from './search-index-store.ts'
import { changeUpload, getUploadBySeq, insertUpload, listFailures, stageRows } from './store.ts'

let setup: TemporaryDatabase
let ports: Ports & TestPorts
let pending: Promise<unknown>[]

beforeEach(async () => {
  setup = await createTemporaryDatabase()
  pending = []
  ports = Object.assign(createTestPorts(), {
    openDatabase: () => ({ ...setup.database, close: () => undefined }),
    mailbox: undefined,
    gateways: {},
    assets: { get: async () => undefined },
    uploadLimit: 0,
    background: (work: Promise<unknown>) => {
      pending.push(work)
    },
  })
})
afterEach(() => setup.remove())

const row = (at: number, error: string | null = null): StagedRow => {
  const number = `UG/2031/${String(at).padStart(5, '0')}`
  return [at + 1, number, 'Ada Obi', null, 'Law', '2031-07-07', 'Pass', 'Law', `${number} ada`, null, error]
}

/** Number of rows that are staged together. */
const BATCH_SIZE = 2000

/** Creates an upload whose process died: its rows are staged, and it has no lease. */
async function createAbandonedUpload(state: 'receiving' | 'importing', rows: StagedRow[]): Promise<number> {
  return await setup.database.write(async tx => {
    const seq = await insertUpload(tx, {
      id: crypto.randomUUID(),
      uploaderId: 'someone',
      uploaderEmail: 'someone@staff.test',
      ipAddress: '192.0.2.4',
      filename: 'register.csv',
      dryRun: false,
      onConflict: 'fail',
      dateOrder: null,
      createdAt: ports.time,
      leaseUntil: ports.time + 1000,
    })
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const batch = new RowBatch()
      for (const item of rows.slice(at, at + BATCH_SIZE)) batch.add(item)
      await stageRows(tx, { seq, position: at + 1, rows: batch })
    }
    if (state === 'importing') await changeUpload(tx, seq, { state, total: rows.length })
    return seq
  })
}

async function resume() {
  await resumeUploads(ports, setup.database)
  await Promise.all(pending)
}

const listStored = () => listCertificates(setup.database.read, { search: '', page: 1, perPage: 10 })

it('an import whose process died continues once its lease has expired', async () => {
  const seq = await createAbandonedUpload('importing', [row(1), row(2, 'Wrong.'), row(3)])
  await resume()
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({ state: 'importing', processed: 0 })
  ports.time += 2000
  await Promise.all([resume(), resume()])
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    state: 'done',
    processed: 3,
    created: 2,
    failed: 1,
    untidy: false,
  })
  expect((await listStored()).total).toBe(2)
})

it('an incomplete file is discarded with its staged rows', async () => {
  const seq = await createAbandonedUpload('receiving', [row(1), row(2, 'Wrong.')])
  ports.time += 2000
  await resume()
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    state: 'interrupted',
    untidy: false,
  })
  expect(await listFailures(setup.database.read, { seq, limit: 10 })).toEqual([])
  expect((await listStored()).total).toBe(0)
})

it('a cancelled import stops, and keeps what was already imported', async () => {
  const seq = await createAbandonedUpload('importing', [row(1), row(2)])
  await setup.database.write(tx => changeUpload(tx, seq, { cancelRequested: true }))
  ports.time += 2000
  await resume()
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    state: 'cancelled',
    created: 0,
    untidy: false,
  })
  expect((await listStored()).total).toBe(0)
})

it('a process that is stopping finishes its chunk, and the import continues after the next start', {
  tags: ['QUALITY-47'],
}, async () => {
  const rows = Array.from({ length: BATCH_SIZE + 100 }, (_, index) => row(index + 1))
  const seq = await createAbandonedUpload('importing', rows)
  const stopped = await runImport(ports, seq, { onProgress: () => ports.end.abort() })
  expect(stopped).toMatchObject({ state: 'importing', processed: BATCH_SIZE })
  await resume()
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    processed: BATCH_SIZE,
    leaseUntil: ports.time - 1,
  })
  const { end: _, stopping, finalStop } = createTestPorts()
  Object.assign(ports, { stopping, finalStop })
  await resume()
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    state: 'done',
    created: BATCH_SIZE + 100,
    failed: 0,
  })
})

describe('batches of valid rows', () => {
  const countStaged = async (name: 'upload_rows' | 'upload_batches') =>
    Number((await setup.database.client.execute(`select count(*) as total from ${name}`)).rows[0]?.total)
  const readOutcomes = async (seq: number) => {
    const found = []
    for await (const part of readAllRows(setup.database.read, seq)) found.push(...part)
    return found.map(({ certificate_number, status, error }) => [certificate_number, status, error ?? null])
  }
  const complete = async (seq: number) => {
    ports.time += 2000
    await resume()
    return await getUploadBySeq(setup.database.read, seq)
  }
  /** Fails if the search index differs from the register. */
  const checkSearchIndex = () =>
    setup.database.client.execute(
      "insert into certificate_search (certificate_search, rank) values ('integrity-check', 1)",
    )
  const makeRows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => row(from + index))
  /** Returns a row with the same certificate again, at a later line. */
  const makeRepeatedRow = (first: number, line: number): StagedRow =>
    row(first).with(0, line).with(9, first) as unknown as StagedRow

  it('are imported together, and leave no staged rows behind', async () => {
    const seq = await createAbandonedUpload('importing', makeRows(1, BATCH_SIZE + 10))
    expect([await countStaged('upload_batches'), await countStaged('upload_rows')]).toEqual([2, 0])
    expect(await complete(seq)).toMatchObject({ state: 'done', created: BATCH_SIZE + 10, unchanged: 0 })
    expect([await countStaged('upload_batches'), await countStaged('upload_rows')]).toEqual([0, 0])
    expect((await listStored()).total).toBe(BATCH_SIZE + 10)
    expect(await readOutcomes(seq)).toHaveLength(BATCH_SIZE + 10)
    await checkSearchIndex()
  })

  it('are imported row by row if one of the numbers is on record', async () => {
    await complete(
      await createAbandonedUpload('importing', [row(7), row(8).with(6, 'Credit') as unknown as StagedRow]),
    )
    const seq = await createAbandonedUpload('importing', makeRows(1, 10))
    expect(await complete(seq)).toMatchObject({ state: 'done', created: 8, unchanged: 1, failed: 1 })
    expect((await listStored()).total).toBe(10)
    expect(await readOutcomes(seq)).toContainEqual([
      'UG/2031/00008',
      'failed',
      'On record with different content: Grade: Credit → Pass',
    ])
    expect(await findCounterDifferences(setup.database.client)).toEqual([])
    await checkSearchIndex()
  })

  it('get the same report if they were staged by an earlier release', async () => {
    const seq = await createAbandonedUpload('importing', makeRows(1, 10))
    const another = await createAbandonedUpload('importing', makeRows(11, 20))
    await setup.database.client.execute(
      `update upload_batches set report = null where id > ${rowId(another, 0)}`,
    )
    await complete(another)
    const [one, two] = [await readOutcomes(seq), await readOutcomes(another)]
    expect(one).toEqual(makeRows(1, 10).map(item => [item[1], 'success', null]))
    expect(two).toEqual(makeRows(11, 20).map(each => [each[1], 'success', null]))
  })

  it('of a large file are imported two per statement if all rows are new', async () => {
    const rows = [
      ...makeRows(1, LARGE_UPLOAD_ROWS),
      row(5),
      ...makeRows(LARGE_UPLOAD_ROWS + 1, LARGE_UPLOAD_ROWS + 10),
    ]
    const seq = await createAbandonedUpload('importing', rows)
    let transactions = 0
    // With `isWriteWaiting` true, each statement gets its own transaction.
    const database = { ...setup.database, isWriteWaiting: () => true, close: () => undefined }
    await runImport({ ...ports, openDatabase: () => database }, seq, { onProgress: () => transactions++ })
    await Promise.all(pending)
    // Each of five transactions imports two batches, and one imports the row that is on record.
    expect(transactions).toBe(LARGE_UPLOAD_ROWS / BATCH_SIZE / 2 + 1)
    expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
      created: LARGE_UPLOAD_ROWS + 10,
      unchanged: 1,
    })
    expect(await readOutcomes(seq)).toHaveLength(rows.length)
    expect(await findCounterDifferences(setup.database.client)).toEqual([])
    await checkSearchIndex()
  })

  it('of a large file are inserted in the order of their numbers, and reported in the order of the file', async () => {
    const rows = makeRows(1, LARGE_UPLOAD_ROWS)
      .reverse()
      .map((each, at) => each.with(0, at + 2) as unknown as StagedRow)
    const numbers = rows.map(each => each[1])
    const seq = await createAbandonedUpload('importing', rows)
    expect(await complete(seq)).toMatchObject({ state: 'done', created: LARGE_UPLOAD_ROWS })
    expect((await readOutcomes(seq)).map(([number]) => number)).toEqual(numbers)
    const inserted = await setup.database.client.execute(
      'select certificate_number from certificates order by seq',
    )
    // A statement has two batches.
    expect(inserted.rows.slice(0, 2 * BATCH_SIZE).map(each => each[0])).toEqual(
      numbers.slice(0, 2 * BATCH_SIZE).reverse(),
    )
  })

  it('are staged row by row if one of the numbers is repeated later', async () => {
    const other = makeRepeatedRow(3, BATCH_SIZE + 3).with(6, 'Credit') as unknown as StagedRow
    const rows = [...makeRows(1, BATCH_SIZE), makeRepeatedRow(2, BATCH_SIZE + 2), other, row(BATCH_SIZE + 3)]
    const seq = await createAbandonedUpload('importing', rows)
    expect(await countStaged('upload_batches')).toBe(0)
    expect(await complete(seq)).toMatchObject({ created: BATCH_SIZE + 1, unchanged: 1, failed: 1 })
    expect((await listStored()).total).toBe(BATCH_SIZE + 1)
  })

  it('of a cancelled upload are removed', async () => {
    const seq = await createAbandonedUpload('importing', makeRows(1, 2 * BATCH_SIZE))
    await setup.database.write(tx => changeUpload(tx, seq, { cancelRequested: true }))
    expect(await complete(seq)).toMatchObject({ state: 'cancelled', created: 0, untidy: false })
    expect(await countStaged('upload_batches')).toBe(0)
  })

  it('before and after an invalid row keep the order of the file', async () => {
    const rows = [
      ...makeRows(1, BATCH_SIZE - 1),
      row(BATCH_SIZE, 'Wrong.'),
      ...makeRows(BATCH_SIZE + 1, 2 * BATCH_SIZE + 5),
    ]
    const seq = await createAbandonedUpload('importing', rows)
    expect(await complete(seq)).toMatchObject({ processed: rows.length, created: rows.length - 1, failed: 1 })
    expect((await readOutcomes(seq)).map(([number]) => number)).toEqual(rows.map(each => each[1]))
  })
})

describe('failed rows beyond the first 2,000', () => {
  const TOTAL = FAILED_ROWS_KEPT + 2500
  const TOO_MANY = 'This row has 9 cells, but the header has 7.'
  // Every tenth row is valid, so that the limit is reached within a chunk; one of the last has another reason.
  const isValid = (at: number) => at % 10 === 0
  const errorOf = (at: number) => (at === TOTAL - 1 ? 'Course is required' : TOO_MANY)
  const rows = Array.from({ length: TOTAL }, (_, index) =>
    row(index + 1, isValid(index + 1) ? null : errorOf(index + 1)),
  )
  const failed = rows.filter(each => each[10] !== null)

  const collect = async <T>(parts: AsyncIterable<T[]>) => {
    const all: T[] = []
    for await (const part of parts) all.push(...part)
    return all
  }

  it('are reported completely with line, number and reason, and are counted, but their values are not stored', {
    tags: ['DATA-21'],
  }, async () => {
    const seq = await createAbandonedUpload('importing', rows)
    ports.time += 2000
    await resume()
    expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
      state: 'done',
      total: TOTAL,
      created: TOTAL - failed.length,
      failed: failed.length,
    })
    const report = await collect(readAllRows(setup.database.read, seq))
    expect(
      report.map(({ row: line, certificate_number, error }) => [line, certificate_number, error]),
    ).toEqual(rows.map(item => [item[0], item[1], item[10]]))
    const first = await readFirstRows(setup.database.read, await getUploadBySeq(setup.database.read, seq))
    expect(first).toHaveLength(REPORT_ROWS)
    expect(first.every(each => each.status === 'failed')).toBe(true)
    const storedFailures = await listFailures(setup.database.read, { seq, limit: TOTAL })
    expect(storedFailures.map(each => each.line)).toEqual(
      failed.slice(0, FAILED_ROWS_KEPT).map(each => each[0]),
    )
  })

  it('are in the file of failed rows with a reason that refers to the uploaded file instead of their values', async () => {
    const seq = await createAbandonedUpload('importing', rows)
    ports.time += 2000
    await resume()
    const file = await collect(readFailedRows(setup.database.read, seq))
    expect(file.map(item => item.row)).toEqual(failed.map(each => each[0]))
    expect(file[FAILED_ROWS_KEPT - 1]).toMatchObject({ student_name: 'Ada Obi', error: TOO_MANY })
    const line = failed[FAILED_ROWS_KEPT]?.[0] ?? 0
    expect(file[FAILED_ROWS_KEPT]).toMatchObject({
      student_name: '',
      error: valuesNotStoredError(line, TOO_MANY),
    })
  })

  it('include rows whose numbers exist with other content', async () => {
    const valid = Array.from({ length: FAILED_ROWS_KEPT + 10 }, (_, at) => row(at + 1))
    const other = valid.map(item => item.with(6, 'First Class') as unknown as StagedRow)
    for (const staged of [valid, other]) {
      await createAbandonedUpload('importing', staged)
      ports.time += 2000
      await resume()
    }
    const report = await collect(readAllRows(setup.database.read, 2))
    expect(new Set(report.map(each => each.error))).toEqual(
      new Set(['On record with different content: Grade: Pass → First Class']),
    )
    expect(report).toHaveLength(valid.length)
    expect(await listFailures(setup.database.read, { seq: 2, limit: TOTAL })).toHaveLength(FAILED_ROWS_KEPT)
  })
})

it('a large import merges the search index afterwards, in steps', { tags: ['DATA-21'] }, async () => {
  const { client } = setup.database
  const readValue = async (sql: string) => (await client.execute(sql)).rows[0]?.[0]
  const readSearchSetting = (name: string) =>
    readValue(`select v from certificate_search_config where k = '${name}'`)
  const countSegments = () => readValue('select count(distinct segid) from certificate_search_idx')
  // Enough rows for more than one transaction.
  const rows = Array.from({ length: LARGE_UPLOAD_ROWS + 5000 }, (_, index) => row(index + 1))
  const seq = await createAbandonedUpload('importing', rows)
  let during: unknown
  await runImport(ports, seq, {
    onProgress: ({ state }) => {
      if (state === 'importing') during ??= readSearchSetting('automerge')
    },
  })
  expect(await during).toBe(16)
  expect(await readSearchSetting('automerge')).toBe(4)
  await Promise.all(pending)
  expect(await getUploadBySeq(setup.database.read, seq)).toMatchObject({
    created: rows.length,
    untidy: false,
  })
  expect(await countSegments()).toBeLessThan(4)
  await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
  expect(
    await readValue(`select count(*) from certificate_search where certificate_search match '"ada"'`),
  ).toBe(rows.length)
})

describe('a large import', () => {
  const rows = Array.from({ length: LARGE_UPLOAD_ROWS }, (_, index) => row(index + 1))
  /** Runs an import. @returns the number of rows after each of its transactions */
  const runLargeImport = async (onProgress: (processed: number) => void = () => undefined) => {
    const seq = await createAbandonedUpload('importing', rows)
    const processed: number[] = []
    await runImport(ports, seq, {
      onProgress: upload => {
        processed.push(upload.processed)
        onProgress(upload.processed)
      },
    })
    await Promise.all(pending)
    return processed
  }

  it('commits several statements at once while no other write waits', async () => {
    expect(await runLargeImport()).toEqual([LARGE_UPLOAD_ROWS])
  })

  it('commits once a transaction takes long, because waiting writes of other processes are not visible', async () => {
    const isWriteWaiting = () => {
      ports.time += 1500
      return false
    }
    Object.assign(ports, {
      openDatabase: () => ({ ...setup.database, isWriteWaiting, close: () => undefined }),
    })
    expect(await runLargeImport()).toEqual([4 * BATCH_SIZE, 8 * BATCH_SIZE, LARGE_UPLOAD_ROWS])
  })

  it('commits after the current statement if another write waits, so that it does not wait for the other statements', async () => {
    const state = async () => (await getUploadBySeq(setup.database.read, 1)).processed
    const during: Promise<number>[] = []
    const isWriteWaiting = () => {
      if (during.length === 0) during.push(setup.database.write(state))
      return setup.database.isWriteWaiting()
    }
    Object.assign(ports, {
      openDatabase: () => ({ ...setup.database, isWriteWaiting, close: () => undefined }),
    })
    expect(await runLargeImport()).toEqual([2 * BATCH_SIZE, LARGE_UPLOAD_ROWS])
    expect(await Promise.all(during)).toEqual([2 * BATCH_SIZE])
  })
})
