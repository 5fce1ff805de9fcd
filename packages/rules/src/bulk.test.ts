import { bulkStatuses } from '@portal/contract/verification-bulk'
import { describe, expect, test } from 'vitest'
import { bulkMessages, readNumbers, revealInOrder, summaryOf } from './bulk.ts'

describe('what was given', () => {
  test('is read as different numbers, trimmed and upper-cased, in the order in which each first came', () => {
    const asked = readNumbers([' ug/2020/001 ', 'PG/2021/002', 'UG/2020/001', 'pg/2021/002'])
    expect(asked).toEqual({
      given: 4,
      valid: ['UG/2020/001', 'PG/2021/002'],
      invalid: new Map(),
      order: ['UG/2020/001', 'PG/2021/002'],
    })
  })

  test('and is no certificate number is kept apart, with the words of the field', () => {
    const asked = readNumbers(['UG/2020/001', 'x', '', 'a b c d e f'])
    expect(asked.order).toEqual(['UG/2020/001', 'X', '', 'A B C D E F'])
    expect(asked.valid).toEqual(['UG/2020/001'])
    expect([...asked.invalid.keys()]).toEqual(['X', '', 'A B C D E F'])
    for (const message of asked.invalid.values()) expect(message).toMatch(/^Please .+\.$/)
  })

  test('of any length is shown by its beginning, one beyond what a number may have, and is none', () => {
    const asked = readNumbers(['A'.repeat(5000)])
    expect(asked.order).toEqual(['A'.repeat(101)])
    expect(asked.valid).toEqual([])
    expect(asked.invalid.size).toBe(1)
  })
})

describe('of many numbers', () => {
  const known = (number: string) => number.startsWith('K')
  const told = (numbers: string[], misses: number) => [...revealInOrder(numbers, known, misses)]

  test('all are told while unknown ones may be', () => {
    expect(told(['K1', 'U1', 'K2', 'U2'], 2)).toEqual([
      ['K1', 'payment_required'],
      ['U1', 'not_found'],
      ['K2', 'payment_required'],
      ['U2', 'not_found'],
    ])
  })

  test('none is told any more after the first that may not be, known or unknown', () => {
    expect(told(['U1', 'K1', 'U2', 'K2', 'U3'], 1)).toEqual([
      ['U1', 'not_found'],
      ['K1', 'payment_required'],
      ['U2', 'limited'],
      ['K2', 'limited'],
      ['U3', 'limited'],
    ])
  })

  test('none is told where no unknown one may be, however that came', () => {
    for (const misses of [0, -1])
      expect(told(['K1', 'U1'], misses)).toEqual([
        ['K1', 'limited'],
        ['U1', 'limited'],
      ])
  })
})

test('a status that says it all has no words; the others have their own', () => {
  expect(bulkStatuses.filter(status => bulkMessages[status] === undefined)).toEqual([
    'payment_required',
    'invalid',
  ])
  expect(bulkMessages).toEqual({
    already_paid: 'Certificate already verified',
    not_found: 'Certificate not found in our database.',
    limited: 'Not checked: too many unknown numbers in the last hour. Please try again later.',
    pending: 'A payment for this certificate is in progress. It is not charged again.',
  })
})

test('a summary counts each status, and what was given twice', () => {
  const asked = readNumbers(['UG/2020/001', 'UG/2020/001', 'UG/2020/001', 'UG/2020/002', 'x'])
  const results = [
    { certificate_number: 'UG/2020/001', status: 'payment_required' as const },
    { certificate_number: 'UG/2020/002', status: 'payment_required' as const },
    { certificate_number: 'X', status: 'invalid' as const },
  ]
  expect(summaryOf(asked, results)).toEqual({
    given: 5,
    duplicates: 2,
    total: 3,
    payment_required: 2,
    already_paid: 0,
    not_found: 0,
    invalid: 1,
    limited: 0,
    pending: 0,
  })
})
