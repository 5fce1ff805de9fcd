import { expect, test } from 'vitest'
import {
  batchItemDisplay,
  formatMonth,
  movementLabel,
  movementLines,
  verificationDisplay,
} from './organisations.ts'

test('shows the result of a completed verification, and the status of any other', () => {
  expect(verificationDisplay({ status: 'completed', result: 'verified' }).label).toBe('Certificate Found')
  expect(verificationDisplay({ status: 'completed', result: 'not_found' }).label).toBe(
    'Certificate Not Found',
  )
  expect(verificationDisplay({ status: 'cancelled', result: null }).label).toBe('Cancelled')
})

test('formats months and labels, and falls back for unknown values', () => {
  expect(formatMonth('2026-01')).toBe('January 2026')
  expect(formatMonth('2026-13')).toBe('2026-13')
  expect(batchItemDisplay('new').label).toBe('Unknown')
  expect(movementLabel('topup')).toBe('Top-up')
})

test('omits the label if the description already starts with it', () => {
  expect(movementLines({ type: 'charge', description: 'Verification UG/2019/00123' })).toEqual([
    'Verification UG/2019/00123',
  ])
  expect(movementLines({ type: 'topup', description: 'Card top-up CV123' })).toEqual([
    'Top-up',
    'Card top-up CV123',
  ])
})
