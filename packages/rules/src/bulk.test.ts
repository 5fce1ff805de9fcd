import { bulkStatuses } from '@portal/contract/verification-bulk'
import { describe, expect, test } from 'vitest'
import { bulkMessages, readNumbers, revealInOrder, summaryOf } from './bulk.ts'

describe('input numbers', () => {
  test('are trimmed, converted to uppercase and deduplicated, in the order in which they were first given', () => {
    const numbers = readNumbers([' ug/2020/001 ', 'PG/2021/002', 'UG/2020/001', 'pg/2021/002'])
    expect(numbers).toEqual({
      given: 4,
      valid: ['UG/2020/001', 'PG/2021/002'],
      invalid: new Map(),
      distinct: ['UG/2020/001', 'PG/2021/002'],
    })
  })

  test('are listed separately, with an error message, if they are invalid', () => {
    const numbers = readNumbers(['UG/2020/001', 'x', '', 'a b c d e f'])
    expect(numbers.distinct).toEqual(['UG/2020/001', 'X', '', 'A B C D E F'])
    expect(numbers.valid).toEqual(['UG/2020/001'])
    expect([...numbers.invalid.keys()]).toEqual(['X', '', 'A B C D E F'])
    for (const message of numbers.invalid.values()) expect(message).toMatch(/^Please .+\.$/)
  })

  test('are invalid if too long, and truncated to one character over the limit', () => {
    const numbers = readNumbers(['A'.repeat(5000)])
    expect(numbers.distinct).toEqual(['A'.repeat(101)])
    expect(numbers.valid).toEqual([])
    expect(numbers.invalid.size).toBe(1)
  })
})

describe('revealInOrder', () => {
  const exists = (number: string) => number.startsWith('K')
  const reveal = (numbers: string[], allowedMisses: number) => [
    ...revealInOrder(numbers, exists, allowedMisses),
  ]

  test('reveals every result if no more numbers are missing than allowed', () => {
    expect(reveal(['K1', 'U1', 'K2', 'U2'], 2)).toEqual([
      ['K1', 'payment_required'],
      ['U1', 'not_found'],
      ['K2', 'payment_required'],
      ['U2', 'not_found'],
    ])
  })

  test('reveals nothing from the first miss over the limit, whether the number exists or not', () => {
    expect(reveal(['U1', 'K1', 'U2', 'K2', 'U3'], 1)).toEqual([
      ['U1', 'not_found'],
      ['K1', 'payment_required'],
      ['U2', 'limited'],
      ['K2', 'limited'],
      ['U3', 'limited'],
    ])
  })

  test('reveals nothing if no miss is allowed', () => {
    for (const allowedMisses of [0, -1])
      expect(reveal(['K1', 'U1'], allowedMisses)).toEqual([
        ['K1', 'limited'],
        ['U1', 'limited'],
      ])
  })
})

test('has a message for every status that is not self-explanatory', () => {
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

test('counts each status and the duplicates in the summary', () => {
  const numbers = readNumbers(['UG/2020/001', 'UG/2020/001', 'UG/2020/001', 'UG/2020/002', 'x'])
  const results = [
    { certificate_number: 'UG/2020/001', status: 'payment_required' as const },
    { certificate_number: 'UG/2020/002', status: 'payment_required' as const },
    { certificate_number: 'X', status: 'invalid' as const },
  ]
  expect(summaryOf(numbers, results)).toEqual({
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
