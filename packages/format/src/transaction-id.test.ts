import { expect, test } from 'vitest'
import { cleanTransactionId, groupTransactionId, plainTransactionId } from './transaction-id.ts'

test('shows an ID in groups of four', { tags: ['SPEC-2.17'] }, () => {
  expect(groupTransactionId('CVF0123456789ABCDEFGHJKM')).toBe('CVF0-1234-5678-9ABC-DEFG-HJKM')
  expect(groupTransactionId('CVF01')).toBe('CVF0-1')
  expect(groupTransactionId('CVF0')).toBe('CVF0')
  expect(groupTransactionId('')).toBe('')
})

test('groups an ID that is already grouped in the same way, and restores the ID from its groups', () => {
  const id = 'CVF0123456789ABCDEFGHJKM'
  expect(groupTransactionId(groupTransactionId(id))).toBe(groupTransactionId(id))
  expect(plainTransactionId(groupTransactionId(id).toLowerCase())).toBe(id)
})

test('converts input to uppercase, and keeps at most 50 letters, digits, dashes and underscores', {
  tags: ['SPEC-3.14', 'SPEC-5.10'],
}, () => {
  expect(cleanTransactionId(' cvf0-1234_é<b> ')).toBe('CVF0-1234_B')
  expect(cleanTransactionId('x'.repeat(60))).toHaveLength(50)
})
