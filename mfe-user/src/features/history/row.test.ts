import type { HistoryRecord } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { attemptsNote, canPrint, canResume, describeRecord, figuresOf, formatRowRange } from './row.ts'

const makeRecord = (changes: Partial<HistoryRecord>): HistoryRecord => ({
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
  can_try_again: false,
  certificate_details: { student_name: 'A', course: 'B', graduation_date: '2019-07-31', grade: 'C' },
  letter: null,
  ...changes,
})

test('only a success with its certificate can be printed', { tags: ['SPEC-2.26'] }, () => {
  expect(canPrint(makeRecord({}))).toBe(true)
  expect(canPrint(makeRecord({ certificate_details: null }))).toBe(false)
  expect(canPrint(makeRecord({ authentication_result: 'failed' }))).toBe(false)
})

test('counts completed verifications in the total, as the overview does, and gives the number of attempts', () => {
  const history = [
    makeRecord({}),
    makeRecord({ authentication_result: 'failed' }),
    makeRecord({ payment_status: 'pending', authentication_result: 'pending' }),
  ]
  const reply = { history, pagination: { total: 1500 } }
  const figures = figuresOf({ ...reply, counters: { total: 1500, successful: 20, not_found: 3 } })
  expect(figures).toEqual({ total: 23, successful: 20, notFound: 3, attempts: 1500 })
  expect([1, 1500].map(attemptsNote)).toEqual(['completed, of 1 attempt', 'completed, of 1,500 attempts'])
  // If the response has no counters, only the rows of one page are known.
  expect(figuresOf(reply)).toEqual({ total: 1500, successful: 1, notFound: 1, attempts: 1500 })
})

test('only a pending payment can be continued', () => {
  expect(canResume(makeRecord({}))).toBe(false)
  const pending = { payment_status: 'pending', resolution: null } as const
  expect(canResume(makeRecord(pending))).toBe(true)
  expect(canResume(makeRecord({ ...pending, bpms_transaction_id: '' }))).toBe(false)
})

test('a payment under review cannot be continued', () => {
  expect(canResume(makeRecord({ payment_status: 'pending', resolution: 'review' }))).toBe(false)
  expect(canResume(makeRecord({ payment_status: 'pending', resolution: 'refund_due' }))).toBe(false)
  expect(canResume(makeRecord({ payment_status: 'pending', resolution: null }))).toBe(true)
})

test('explains why a payment was not completed, or that it is refunded or reversed', () => {
  const failed = makeRecord({ payment_status: 'failed', authentication_result: 'failed', resolution: null })
  expect(describeRecord({ ...failed, code: 'INSUFFICIENT_FUNDS' })).toEqual({
    title: '',
    text: 'Insufficient funds. Nothing was charged.',
  })
  expect(describeRecord({ ...failed, code: 'PAYMENT_CANCELLED' }).text).toMatch(/^Payment was cancelled\./)
  expect(describeRecord(makeRecord({ payment_status: 'pending', resolution: null })).text).toMatch(
    /continued/,
  )
  expect(describeRecord(makeRecord({ payment_status: 'pending', resolution: 'review' })).title).toBe(
    'Payment under review',
  )
  expect(describeRecord(makeRecord({ resolution: 'refund_due' })).title).toBe('Refund due')
  expect(describeRecord({ ...failed, resolution: 'reversed' })).toEqual({
    title: '',
    text: 'The payment was reversed; the letter is no longer valid.',
  })
  expect(describeRecord(makeRecord({})).text).toBe('')
})

test('a printed page states which rows it contains', () => {
  expect(formatRowRange(0, 10, 27)).toBe('Rows 1 to 10 of 27.')
  expect(formatRowRange(1020, 7, 1027)).toBe('Rows 1,021 to 1,027 of 1,027.')
})
