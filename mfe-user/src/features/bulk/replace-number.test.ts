import { type BulkCheckReply, type BulkResult, bulkStatuses } from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'
import { expect, test } from 'vitest'
import { replaceNumber } from './replace-number.ts'

function makeReply(results: BulkResult[], givenCount = results.length): BulkCheckReply {
  const counts = byKey(bulkStatuses, status => results.filter(result => result.status === status).length)
  return {
    results,
    summary: { given: givenCount, duplicates: givenCount - results.length, total: results.length, ...counts },
    amount_due: counts.payment_required * 0.1,
    currency: 'NGN',
  }
}
const makeResult = (certificate_number: string, status: BulkResult['status']): BulkResult => ({
  certificate_number,
  status,
})

test('replaces the number with the suggested one, and updates counts and amount', () => {
  const before = makeReply([
    makeResult('A', 'not_found'),
    makeResult('B', 'payment_required'),
    makeResult('C', 'payment_required'),
  ])
  const after = replaceNumber(before, 'A', makeReply([makeResult('D', 'payment_required')]))
  expect(after.results.map(result => result.certificate_number)).toEqual(['D', 'B', 'C'])
  expect(after.summary).toMatchObject({
    given: 3,
    duplicates: 0,
    total: 3,
    payment_required: 3,
    not_found: 0,
  })
  expect(after.amount_due).toBe(0.3)
})

test('counts a suggested number that is already in the list as a duplicate, which is charged once', () => {
  const before = makeReply([makeResult('B', 'payment_required'), makeResult('A', 'invalid')])
  const after = replaceNumber(before, 'A', makeReply([makeResult('B', 'payment_required')]))
  expect(after.results.map(result => result.certificate_number)).toEqual(['B'])
  expect(after.summary).toMatchObject({ given: 2, duplicates: 1, total: 1, payment_required: 1 })
})
