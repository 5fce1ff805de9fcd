import { demoCertificates } from '@portal/fixtures/certificates'
import { expect, test } from 'vitest'
import { createTemporaryDatabase } from '../../test/temporary-database.ts'
import { readAllRows } from '../uploads/report.ts'
import { insertDemoUpload } from './uploads.ts'

const UPLOADED_AT = Date.parse('2026-05-01T09:00:00Z')

test('the demo upload has a report with a row for every line of its file', async () => {
  const { database, remove } = await createTemporaryDatabase()
  try {
    const register = demoCertificates(1000)
    await database.write(tx =>
      insertDemoUpload(tx, { register, startedAt: UPLOADED_AT, finishedAt: UPLOADED_AT + 1 }),
    )
    const rows = []
    for await (const batch of readAllRows(database.read, 1)) rows.push(...batch)
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 1003 }, (_, place) => place + 2))
    expect(rows.filter(({ status }) => status === 'success')).toHaveLength(1000)
    expect(rows.filter(({ status }) => status === 'failed').map(({ error }) => error)).toEqual([
      'Please enter a valid certificate number.',
      'Student name is required',
      'There is no such day as 31/02/2017. Please correct the graduation date.',
    ])
  } finally {
    await remove()
  }
})
