import { expect, test } from 'vitest'
import { completeResult } from './send-file.ts'

test('derives the counts from the report if the response is a single JSON object', () => {
  const report = [
    { row: 2, certificate_number: 'UG/2019/00123', status: 'success' },
    { row: 3, certificate_number: 'UG/2019/00124', status: 'failed', error: 'Grade is required' },
  ] as const
  expect(completeResult({ report: [...report] })).toMatchObject({
    upload_id: '',
    state: 'done',
    summary: { total: 2, succeeded: 1, failed: 1 },
    report,
  })
})
