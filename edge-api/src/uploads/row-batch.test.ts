import { expect, test } from 'vitest'
import { RowBatch, type StagedRow } from './row-batch.ts'

const row = (
  line: number,
  name = 'Ọlá\ud800 "Ada"',
  first: number | null = null,
  error: string | null = null,
): StagedRow =>
  [
    ...[line, `UG/2031/${line}`, name, null, 'Law', '2031-07-07', 'Pass', 'Law', 'ada', first, error],
  ] as unknown as StagedRow
const batchOf = (rows: readonly StagedRow[]) => {
  const batch = new RowBatch()
  for (const item of rows) batch.add(item)
  return batch
}
const read = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString())

test.each([0, 1, 49, 50, 51, 4000])('stores %i rows as JSON, with their report', count => {
  const rows = Array.from({ length: count }, (_, index) => row(index + 2))
  const batch = batchOf(rows)
  expect(batch).toMatchObject({ length: count, areInsertable: true, earlierPositions: [] })
  // Repeated, because reading must not change the batch.
  for (let times = 0; times < 2; times++) {
    expect(read(batch.json)).toEqual(rows)
    expect(read(batch.report)).toEqual(rows.map(([line, number]) => [line, number, null, null]))
  }
})

test('accepts more rows after it was read, and new rows after it was cleared', () => {
  const batch = batchOf([row(2)])
  expect(read(batch.json)).toHaveLength(1)
  batch.add(row(3))
  expect(read(batch.json)).toEqual([row(2), row(3)])
  batch.clear()
  expect(read(batch.json)).toEqual([])
  batch.add(row(4))
  expect(read(batch.json)).toEqual([row(4)])
})

test('grows to hold long rows', () => {
  const rows = Array.from({ length: 200 }, (_, index) => row(index, 'ọ'.repeat(5000)))
  expect(read(batchOf(rows).json)).toEqual(rows)
})

test('reports whether numbers are repeated and whether rows have errors', () => {
  expect(batchOf([row(2), row(3, 'Ada', 1)])).toMatchObject({ areInsertable: false, earlierPositions: [1] })
  const failed = batchOf([row(2, 'Ada', null, 'Wrong.')])
  expect(failed).toMatchObject({ areInsertable: false, earlierPositions: [] })
  failed.clear()
  expect(failed).toMatchObject({ areInsertable: true, length: 0 })
})
