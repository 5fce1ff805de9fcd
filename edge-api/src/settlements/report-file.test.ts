import { expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { readReportFile } from './report-file.ts'

const read = (text: string, options: object = {}) =>
  readReportFile(text, { provider: 'paystack', settledOn: '2026-11-20', ...options })

test('reads columns by name, in any letter case and order', () => {
  const { reports, rows, errors } = read(
    'Paystack Fee,REFERENCE NUMBER,Amount Paid,Settlement Date,Settlement ID\r\n' +
      '"1,234.50",CV1,"₦100,000.00",2026-11-20,3090024\r\n' +
      '76,CV2,5000,20/11/2026,3090024\r\n',
  )
  expect(errors).toEqual([])
  expect(rows).toBe(2)
  expect(reports).toMatchObject([
    {
      reference: '3090024',
      settledAt: Date.UTC(2026, 10, 20),
      lines: [
        { kind: 'payment', reference: 'CV1', amountMinor: 10_000_000, feeMinor: 123_450 },
        { kind: 'payment', reference: 'CV2', amountMinor: 500_000, feeMinor: 7600 },
      ],
    },
  ])
})

test('subtracts deductions with a positive sign, a negative sign or parentheses', () => {
  const { reports } = read(
    'type;reference;amount\nRefund;CV1;100\nchargeback;CV2;-5000\nAdjustment;;(12.50)\nStamp duty;;-50\n',
  )
  expect(reports[0]?.lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['refund', -10_000],
    ['chargeback', -500_000],
    ['adjustment', -1250],
    ['adjustment', -5000],
  ])
})

test('lists each invalid row with its line number, and reads the others', () => {
  const { reports, rows, errors } = read(
    'reference,amount,fee,net,currency,settled on\n' +
      'CV1,5000,76,4924,NGN,2026-11-20\n' +
      '\n' +
      ',5000,,,,\n' +
      'CV2,five,,,,\n' +
      'CV3,-1,,,,\n' +
      'CV4,1.005,,,,\n' +
      'CV5,5000,76,5000,,\n' +
      'CV6,5000,,,USD,\n' +
      'CV7,5000,,,,2026-02-30\n',
  )
  expect(rows).toBe(8)
  expect(reports.flatMap(({ lines }) => lines.map(({ reference }) => reference))).toEqual(['CV1'])
  expect(errors).toEqual([
    { line: 4, message: 'The reference is missing.' },
    { line: 5, message: 'The amount "five" is not an amount.' },
    { line: 6, message: 'The amount of a payment cannot be negative.' },
    { line: 7, message: 'The amount "1.005" is not an amount.' },
    { line: 8, message: 'The amount minus the fee does not equal the net amount.' },
    { line: 9, message: 'The currency USD is not supported. Settlements are in naira.' },
    {
      line: 10,
      message: 'The settlement date "2026-02-30" is not a date. Use 2026-11-23 or 23/11/2026.',
    },
  ])
})

test('a settlement without a name is named after its date', () => {
  const file = 'reference,amount\nCV1,1\n'
  expect(read(file).reports[0]?.reference).toBe('2026-11-20')
  expect(read(file, { reference: 'PSTK-1' }).reports[0]?.reference).toBe('PSTK-1')
  expect(read(file, { settledOn: undefined }).errors).toHaveLength(1)
})

test.each([
  ['nothing', '', 'The file is empty.'],
  ['no amount', 'reference\nCV1\n', 'The header has no column for the amount.'],
  ['a column twice', 'reference,amount,Amount Paid\nCV1,1,1\n', 'more than one column for the amount'],
  ['no rows', 'reference,amount\n', 'The file has no rows.'],
])('refuses a file with %s', (_, text, message) => {
  try {
    read(text)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    expect(String((error as Fault).message)).toContain(message)
  }
})
