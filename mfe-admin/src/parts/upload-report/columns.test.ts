import { expect, test } from 'vitest'
import { formatOtherColumns, toReportCsv } from './columns.ts'

// A row of another version of the API: the specification fixes only the status of a row.
const rowWithUnknownColumns = {
  line: 3,
  certificate: 'UG/2019/00124',
  status: 'failed',
  reason: '=Bad date',
} as const
const knownRow = { row: 2, certificate_number: 'UG/2019/00123', status: 'success' } as const

test('lists the columns of a row that this version does not know', () => {
  expect(formatOtherColumns(rowWithUnknownColumns)).toBe(
    'line: 3, certificate: UG/2019/00124, reason: =Bad date',
  )
  expect(formatOtherColumns(knownRow)).toBe('')
})

test('includes every column of every row in the file', () => {
  expect(toReportCsv([knownRow, rowWithUnknownColumns])).toEqual([
    'row,certificate_number,status,error,line,certificate,reason\r\n',
    '2,UG/2019/00123,success,,,,\r\n',
    ",,failed,,3,UG/2019/00124,'=Bad date\r\n",
  ])
  expect(toReportCsv([])).toEqual(['row,certificate_number,status,error\r\n'])
})
