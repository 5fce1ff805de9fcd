import { wantsCsv } from '@portal/contract/accept'
import { expect, test } from 'vitest'
import { createCsvResponse } from './csv.ts'

const file = { title: 'Things', file: 'things', columns: ['id', 'name'] }
const now = Date.UTC(2026, 0, 31, 23, 59)

function countingOptions() {
  const counts = { ends: 0, errors: 0 }
  return {
    counts,
    options: {
      now,
      onEnd: () => {
        counts.ends++
      },
      onError: () => {
        counts.errors++
      },
    },
  }
}

test('streams the header and then the rows, with the columns in order, and ends once', async () => {
  const { counts, options } = countingOptions()
  async function* rows() {
    yield [{ name: 'a,b', id: 1 }]
    yield []
    yield [{ id: 2, name: null }]
  }
  const { body, headers } = await createCsvResponse(file, rows(), options)
  expect(headers['Content-Disposition']).toBe('attachment; filename="things_2026-01-31.csv"')
  expect(await new Response(body).text()).toBe('id,name\r\n1,"a,b"\r\n2,\r\n')
  expect(counts).toEqual({ ends: 1, errors: 0 })
})

test('throws an error that occurs before the first row, and cuts the file off at a later one', async () => {
  const early = countingOptions()
  async function* failBeforeFirstRow() {
    if (early.counts.ends === 0) throw new Error('down')
    yield []
  }
  await expect(createCsvResponse(file, failBeforeFirstRow(), early.options)).rejects.toThrow('down')
  expect(early.counts).toEqual({ ends: 1, errors: 0 })

  const late = countingOptions()
  async function* failAfterFirstRow() {
    yield [{ id: 1, name: 'a' }]
    throw new Error('down')
  }
  const { body } = await createCsvResponse(file, failAfterFirstRow(), late.options)
  await expect(new Response(body).text()).rejects.toThrow('down')
  expect(late.counts).toEqual({ ends: 1, errors: 1 })
})

test('reads only as fast as the client, and stops when the client disconnects', async () => {
  const { counts, options } = countingOptions()
  let read = 0
  let closed = false
  async function* endlessRows() {
    try {
      for (;;) {
        read++
        yield [{ id: read, name: 'x' }]
      }
    } finally {
      closed = true
    }
  }
  const { body } = await createCsvResponse(file, endlessRows(), options)
  const reader = body.getReader()
  await reader.read()
  await reader.read()
  expect(read).toBeLessThan(6)
  await reader.cancel()
  expect(closed).toBe(true)
  expect(counts).toEqual({ ends: 1, errors: 0 })
})

test.each([
  ['text/csv', true],
  ['text/csv; charset=utf-8, application/json;q=0.5', true],
  ['TEXT/CSV', true],
  ['text/csv, application/json', true],
  ['application/json, text/csv;q=0.1', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/csv;q=0', false],
  ['application/json', false],
  ['*/*', false],
  [undefined, false],
])('Accept %j asks for CSV: %j', (accept, expected) => {
  expect(wantsCsv(accept)).toBe(expected)
})
