import { expect, test } from 'vitest'
import { offeredRoles } from './roles.ts'

test('owners can give every role, managers all but owner, others none', () => {
  expect(offeredRoles('owner')).toEqual(['owner', 'manager', 'member', 'finance'])
  expect(offeredRoles('manager')).toEqual(['manager', 'member', 'finance'])
  expect([...offeredRoles('member'), ...offeredRoles('finance')]).toEqual([])
})
