import type { StatusItem, StatusReply } from '@portal/contract/verification'
import { expect, test } from 'vitest'
import { countsOf, csvOf, rowsOf } from './rows.ts'

const letter = {
  code: 'ABCDEFGHJKMN',
  url: 'https://portal.test/letters/ABCDEFGHJKMN',
  pdf_url: 'https://portal.test/api/letters/ABCDEFGHJKMN.pdf',
  credential_url: 'https://portal.test/api/letters/ABCDEFGHJKMN.jwt',
  open_badge_url: 'https://portal.test/api/letters/ABCDEFGHJKMN.ob3',
  status: 'valid' as const,
}
const certificate = {
  certificate_number: 'UG/2019/00001',
  student_name: '=Adébáyọ̀, Ọlá',
  course: 'B.Sc. Physics',
  graduation_date: '2019-07-31',
  grade: 'First Class',
  department: 'Physics',
}

const makeItem = (number: string, changes: Partial<StatusItem>): StatusItem => ({
  certificate_number: number,
  certificate_id: null,
  amount: 5000,
  status: 'paid',
  verification_status: 'success',
  message: 'From the server.',
  resolution: 'verified',
  certificate: null,
  letter: null,
  ...changes,
})

const payment: Pick<StatusReply, 'transaction_id' | 'items'> = {
  transaction_id: 'CVF0123456789ABCDEFGHJKM',
  items: [
    makeItem('UG/2019/00001', { certificate, letter }),
    makeItem('UG/2019/00002', { verification_status: 'not_found', resolution: 'not_found' }),
    makeItem('UG/2019/00003', { verification_status: 'not_found', resolution: 'refund_due' }),
  ],
}
// The tested code reads only these two fields of a response.
const reply = payment as StatusReply

test('replaces checked rows with the rows of the payment, and orders all rows by state', () => {
  const rows = rowsOf(
    [
      { certificate_number: 'UG/2019/00009', status: 'not_found', message: 'Not there.' },
      { certificate_number: 'UG/2019/00003', status: 'payment_required' },
      { certificate_number: 'UG/2019/00008', status: 'already_paid', transaction_id: 'CVF2' },
    ],
    reply,
  )
  expect(rows.map(row => [row.number, row.state, row.transactionId])).toEqual([
    ['UG/2019/00008', 'already_paid', 'CVF2'],
    ['UG/2019/00001', 'found', payment.transaction_id],
    ['UG/2019/00002', 'missed', payment.transaction_id],
    ['UG/2019/00003', 'refund_due', payment.transaction_id],
    ['UG/2019/00009', 'not_found', null],
  ])
  expect(countsOf(rows).map(({ state, count }) => `${state} ${count}`)).toEqual([
    'already_paid 1',
    'found 1',
    'missed 1',
    'refund_due 1',
    'not_found 1',
  ])
})

test('shows for each number whether its payment is failed, pending or refunded', () => {
  const statesFor = (changes: Partial<StatusItem>) =>
    rowsOf([], { ...reply, items: [makeItem('UG/2019/00001', changes)] }).map(row => row.state)
  expect(statesFor({ status: 'failed', verification_status: null, resolution: null })).toEqual(['failed'])
  expect(statesFor({ status: 'pending', verification_status: null, resolution: null })).toEqual(['pending'])
  expect(statesFor({ verification_status: 'not_found', resolution: 'refunded' })).toEqual(['refunded'])
  // After a second payment for the same number, the result of the first is still shown.
  expect(statesFor({ resolution: 'refund_due' })).toEqual(['found'])
  expect(statesFor({ resolution: 'refunded' })).toEqual(['found'])
})

test('writes a CSV file with one line per number, and escapes formulas', () => {
  const [byteOrderMark, ...lines] = csvOf(rowsOf([], reply)).split(/(?<=^\ufeff)|\r\n/)
  expect(byteOrderMark).toBe('\ufeff')
  expect(lines[0]).toMatch(/^certificate_number,result,student_name/)
  expect(lines[1]).toContain(`UG/2019/00001,Certificate Found,"'=Adébáyọ̀, Ọlá",B.Sc. Physics,2019-07-31`)
  expect(lines[1]).toContain(letter.url)
  expect(lines[2]).toMatch(/^UG\/2019\/00002,Certificate Not Found,,/)
  expect(lines).toHaveLength(5)
})

test('shows a number whose letter cannot be printed as unprintable, not as invalid', () => {
  const message = 'The official letter for this certificate cannot be printed at the moment.'
  const rows = rowsOf([
    { certificate_number: 'X', status: 'invalid', message: 'Please enter a valid certificate number.' },
    { certificate_number: 'UG/2019/00009', status: 'invalid', message },
  ])
  expect(rows.map(({ number, state }) => [number, state])).toEqual([
    ['UG/2019/00009', 'unprintable'],
    ['X', 'invalid'],
  ])
  expect(csvOf(rows)).toContain(`UG/2019/00009,Letter cannot be printed,,,,,,,,,,${message}`)
})
