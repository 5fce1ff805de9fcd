import { expect, test } from 'vitest'
import { offeredRoles } from './roles.ts'

test('lets owners give every role, managers all roles but owner, and others none', () => {
  expect(offeredRoles('owner')).toEqual(['owner', 'manager', 'member', 'finance'])
  expect(offeredRoles('manager')).toEqual(['manager', 'member', 'finance'])
  expect([...offeredRoles('member'), ...offeredRoles('finance')]).toEqual([])
})
