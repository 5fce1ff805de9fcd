import type { Role } from '@portal/contract/shapes'
import { describe, expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import {
  findChangedFields,
  requireCanChangeRole,
  requireCanCreate,
  requireCanEdit,
  requireCanToggle,
  requireStaff,
  requireUnverified,
} from './rules.ts'
import type { User } from './store.ts'

const roles = ['user', 'admin', 'super_admin'] as const

/** Returns `yes` if the rule allows the action, or else the error code. */
function outcomeOf(rule: () => void): string {
  try {
    rule()
    return 'yes'
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

const me = { id: 'me' }
const other = { id: 'other' }
const [yes, no] = ['yes', 'FORBIDDEN']

/** The expected outcome for each role of the actor (row) and of the other account (column). */
type Matrix = Record<Role, Record<Role, string>>

const create: Matrix = {
  user: { user: no, admin: no, super_admin: no },
  admin: { user: yes, admin: no, super_admin: no },
  super_admin: { user: yes, admin: yes, super_admin: yes },
}
const edit: Matrix = create
const toggleOthers: Matrix = {
  user: { user: no, admin: no, super_admin: no },
  admin: { user: yes, admin: yes, super_admin: no },
  super_admin: { user: yes, admin: yes, super_admin: no },
}

const pairs = roles.flatMap(role => roles.map(target => ({ role, target })))

describe('permissions for accounts', () => {
  test.each(pairs)('decide whether $role may create a $target account', ({ role, target }) => {
    expect(outcomeOf(() => requireCanCreate({ ...me, role }, target))).toBe(create[role][target])
  })

  test.each(pairs)(
    'decide whether $role may edit another $target account',
    { tags: ['STAFF-4'] },
    ({ role, target }) => {
      const rule = () => requireCanEdit({ ...me, role }, { ...other, role: target })
      expect(outcomeOf(rule)).toBe(edit[role][target])
    },
  )

  test.each([
    ['user', no],
    ['admin', no],
    ['super_admin', yes],
  ] as const)(
    'decide whether %s may edit their own account through the staff route: %s',
    (role, expected) => {
      expect(outcomeOf(() => requireCanEdit({ ...me, role }, { ...me, role }))).toBe(expected)
    },
  )

  test.each(pairs)(
    'decide whether $role may enable or disable another $target account',
    ({ role, target }) => {
      const rule = () => requireCanToggle({ ...me, role }, { ...other, role: target })
      expect(outcomeOf(rule)).toBe(toggleOthers[role][target])
    },
  )

  test.each(roles)('do not let %s enable or disable their own account', role => {
    expect(outcomeOf(() => requireCanToggle({ ...me, role }, { ...me, role }))).toBe(no)
  })
})

describe('changing a role', () => {
  const changes = pairs.flatMap(pair => roles.map(to => ({ ...pair, to })))

  test.each(changes)(
    'of another $target account to $to is allowed for $role only if they are a super admin, or an admin who changes nothing',
    { tags: ['STAFF-4'] },
    ({ role, target, to }) => {
      const rule = () => requireCanChangeRole({ ...me, role }, { ...other, role: target }, to, 1)
      const expected = role === 'super_admin' || (role === 'admin' && target === to) ? yes : no
      expect(outcomeOf(rule)).toBe(expected)
    },
  )

  test.each(roles.flatMap(role => roles.map(to => ({ role, to }))))(
    'by $role in their own account to $to is refused unless they are staff and already have that role',
    ({ role, to }) => {
      const rule = () => requireCanChangeRole({ ...me, role }, { ...me, role }, to, 9)
      expect(outcomeOf(rule)).toBe(role === to && role !== 'user' ? yes : no)
    },
  )

  test.each([
    { others: 0, to: 'admin', expected: no },
    { others: 0, to: 'user', expected: no },
    { others: 0, to: 'super_admin', expected: yes },
    { others: 1, to: 'admin', expected: yes },
    { others: 1, to: 'user', expected: yes },
  ] as const)(
    'from super admin to $to, with $others other super admins, has the outcome $expected',
    ({ others, to, expected }) => {
      const [actor, target] = [
        { ...me, role: 'super_admin' },
        { ...other, role: 'super_admin' },
      ] as const
      expect(outcomeOf(() => requireCanChangeRole(actor, target, to, others))).toBe(expected)
    },
  )
})

test('every refusal has a reason', { tags: ['QUALITY-17'] }, () => {
  const admin = { ...me, role: 'admin' } as const
  const superAdmin = { ...me, role: 'super_admin' } as const
  const refused = [
    () => requireCanCreate(admin, 'admin'),
    () => requireCanEdit(admin, { ...other, role: 'admin' }),
    () => requireCanToggle(admin, admin),
    () => requireCanToggle(admin, { ...other, role: 'super_admin' }),
    () => requireCanChangeRole(admin, { ...other, role: 'user' }, 'admin', 1),
    () => requireCanChangeRole(superAdmin, superAdmin, 'admin', 1),
    () => requireCanChangeRole(superAdmin, { ...other, role: 'super_admin' }, 'admin', 0),
    () => requireUnverified({ verifiedAt: 1 }),
    () => requireStaff({ ...me, role: 'user' }),
  ]
  const messages = refused.map(rule => {
    try {
      rule()
      return ''
    } catch (error) {
      return error instanceof Fault ? error.message : ''
    }
  })
  expect(messages).toEqual([
    'Only a super admin can create accounts with this role.',
    'Only a super admin can edit this account.',
    'You cannot disable your own account.',
    'A super admin cannot be disabled.',
    'Only a super admin can change roles.',
    'You cannot change your own role.',
    'At least one super admin who can log in must remain.',
    'This email address is already verified.',
    'You do not have permission to do this.',
  ])
})

test('a verification link is only sent to an address that is not confirmed', () => {
  expect(outcomeOf(() => requireUnverified({ verifiedAt: null }))).toBe(yes)
  expect(outcomeOf(() => requireUnverified({ verifiedAt: 0 }))).toBe('VALIDATION_ERROR')
})

test('only fields with a different value count as changed', () => {
  const before: User = {
    id: 'x',
    email: 'a@b.test',
    firstname: 'A',
    middlename: null,
    lastname: 'B',
    phone: '',
    address: 'Here',
    passwordHash: '',
    role: 'user',
    isEnabled: true,
    verifiedAt: 1,
    createdAt: 1,
    updatedAt: 1,
    erasureDueAt: null,
    erasedAt: null,
    version: 1,
  }
  expect(findChangedFields(before, { firstname: 'A', email: 'a@b.test', phone: undefined })).toEqual([])
  expect(findChangedFields(before, { firstname: 'Á', address: '', role: 'admin' })).toEqual([
    'firstname',
    'address',
    'role',
  ])
})
