import type { HistoryRecord } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { canPrint, canResume, pageOf } from './row.ts'

const record = (changes: Partial<HistoryRecord>): HistoryRecord => ({
  id: '1',
  certificate_number: 'UG/2019/00123',
  authenticated_at: '2026-01-31T08:00:00.000Z',
  authentication_result: 'success',
  payment_status: 'paid',
  resolution: 'verified',
  amount_paid: 5000,
  currency: 'NGN',
  payment_reference: 'R1',
  bpms_transaction_id: 'CVF0123456789ABCDEFGHJKM',
  payment_items: 1,
  certificate_details: { student_name: 'A', course: 'B', graduation_date: '2019-07-31', grade: 'C' },
  letter: null,
  ...changes,
})

test('only a success with its certificate can be printed', () => {
  expect(canPrint(record({}))).toBe(true)
  expect(canPrint(record({ certificate_details: null }))).toBe(false)
  expect(canPrint(record({ authentication_result: 'failed' }))).toBe(false)
})

test('only a pending payment can be taken up again', () => {
  expect(canResume(record({}))).toBe(false)
  expect(canResume(record({ payment_status: 'pending' }))).toBe(true)
  expect(canResume(record({ payment_status: 'pending', bpms_transaction_id: '' }))).toBe(false)
})

test.each([
  [null, 1],
  ['3', 3],
  ['0', 1],
  ['-2', 1],
  ['1e3', 1],
  ['abc', 1],
])('page %j of the address is %i', (value, page) => {
  expect(pageOf(value)).toBe(page)
})
