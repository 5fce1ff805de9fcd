import { expect, test } from 'vitest'
import {
  batchItemDisplay,
  formatMonth,
  movementLabel,
  movementLines,
  verificationDisplay,
} from './organisations.ts'

test('a completed verification is shown by its result, any other by its status', () => {
  expect(verificationDisplay({ status: 'completed', result: 'verified' }).label).toBe('Certificate Found')
  expect(verificationDisplay({ status: 'completed', result: 'not_found' }).label).toBe(
    'Certificate Not Found',
  )
  expect(verificationDisplay({ status: 'cancelled', result: null }).label).toBe('Cancelled')
})

test('names months, and shows unknown values as unknown', () => {
  expect(formatMonth('2026-01')).toBe('January 2026')
  expect(formatMonth('2026-13')).toBe('2026-13')
  expect(batchItemDisplay('new').label).toBe('Unknown')
  expect(movementLabel('topup')).toBe('Top-up')
})

test('a movement does not repeat its kind', () => {
  expect(movementLines({ type: 'charge', description: 'Verification UG/2019/00123' })).toEqual([
    'Verification UG/2019/00123',
  ])
  expect(movementLines({ type: 'topup', description: 'Card top-up CV123' })).toEqual([
    'Top-up',
    'Card top-up CV123',
  ])
})
