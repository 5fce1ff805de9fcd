import type { AdminUser } from '@portal/contract/admin-users'
import { userStatuses } from '@portal/contract/admin-users'
import { describe, expect, it } from 'vitest'
import { getAllowedActions } from './allowed-actions.ts'
import { defaultParams, isFiltered, readListParams, statuses, writeListParams } from './list-params.ts'

const roles = ['user', 'admin', 'super_admin'] as const

describe('URL parameters of an account list', () => {
  it.each([
    ['', defaultParams],
    [
      'search=Ad%C3%A9&role=admin&status=unverified&page=3',
      { ...defaultParams, search: 'Adé', role: 'admin', status: 'unverified', page: 3 },
    ],
    ['role=root&status=asleep&page=0', defaultParams],
    ['page=1.5', defaultParams],
  ])('are parsed from %j', (queryString, expected) => {
    expect(readListParams(new URLSearchParams(queryString), roles)).toEqual(expected)
  })

  it('accept only the roles that the list shows', () => {
    const query = new URLSearchParams('role=user')
    expect(readListParams(query, ['admin', 'super_admin']).role).toBe('')
  })

  it('are the same after parsing and serialising, which leaves out defaults', () => {
    expect(writeListParams(defaultParams).toString()).toBe('')
    const params = {
      search: 'Adé & sons',
      role: 'user',
      status: 'disabled',
      from: '2026-01-01',
      to: '2026-01-31',
      sort: 'email',
      page: 7,
    } as const
    expect(readListParams(writeListParams(params), roles)).toEqual(params)
  })

  it('accept every status of the contract', () => {
    expect(statuses).toEqual(userStatuses)
  })

  it('report whether a filter is set, ignoring the page', () => {
    expect(isFiltered({ ...defaultParams, page: 2 })).toBe(false)
    expect(isFiltered({ ...defaultParams, status: 'enabled' })).toBe(true)
  })
})

const makeAccount = (changes: Partial<AdminUser>): AdminUser => ({
  id: 'them',
  version: 1,
  firstname: 'Ṣadé',
  middlename: null,
  lastname: 'Obi',
  email: 'sade@users.test',
  phone: '',
  address: '',
  role: 'user',
  is_enabled: true,
  is_verified: true,
  created_at: '2026-01-31T08:00:00.000Z',
  ...changes,
})

describe('actions', () => {
  it.each([
    ['admin', 'user', { edit: true, toggle: true, role: false }],
    ['admin', 'admin', { edit: false, toggle: true, role: false }],
    ['admin', 'super_admin', { edit: false, toggle: false, role: false }],
    ['super_admin', 'user', { edit: true, toggle: true, role: true }],
    ['super_admin', 'admin', { edit: true, toggle: true, role: true }],
    ['super_admin', 'super_admin', { edit: true, toggle: false, role: true }],
  ] as const)('are offered to %s for another %s', (role, otherRole, expected) => {
    expect(getAllowedActions({ id: 'me', role }, makeAccount({ role: otherRole }))).toMatchObject(expected)
  })

  it.each([
    ['admin', { edit: false, toggle: false, role: false }],
    ['super_admin', { edit: true, toggle: false, role: false }],
  ] as const)('are offered to %s for their own account', (role, expected) => {
    expect(getAllowedActions({ id: 'me', role }, makeAccount({ id: 'me', role }))).toMatchObject(expected)
  })

  it.each([
    ['admin', 'admin', false],
    ['super_admin', 'user', false],
    ['super_admin', 'admin', true],
    ['super_admin', 'super_admin', true],
  ] as const)(
    'for %s and another %s, include a reset of the authenticator app: %s',
    (role, otherRole, expected) => {
      expect(getAllowedActions({ id: 'me', role }, makeAccount({ role: otherRole })).resetAuthenticator).toBe(
        expected,
      )
      expect(
        getAllowedActions({ id: 'them', role }, makeAccount({ role: otherRole })).resetAuthenticator,
      ).toBe(false)
    },
  )

  it('include manual verification only while the address is unverified', () => {
    const viewer = { id: 'me', role: 'admin' } as const
    expect(getAllowedActions(viewer, makeAccount({ is_verified: false })).verify).toBe(true)
    expect(getAllowedActions(viewer, makeAccount({})).verify).toBe(false)
  })
})
