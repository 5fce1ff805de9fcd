import type { AdminUser } from '@portal/contract/admin-users'
import { userStatuses } from '@portal/contract/admin-users'
import { describe, expect, it } from 'vitest'
import { everything, isFiltered, readListParams, statuses, writeListParams } from './list-params.ts'
import { offersFor } from './offers.ts'

const roles = ['user', 'admin', 'super_admin'] as const

describe('the address of a list of accounts', () => {
  it.each([
    ['', everything],
    [
      'search=Ad%C3%A9&role=admin&status=unverified&page=3',
      { search: 'Adé', role: 'admin', status: 'unverified', page: 3 },
    ],
    ['role=root&status=asleep&page=0', everything],
    ['page=1.5', everything],
  ])('reads %j', (address, expected) => {
    expect(readListParams(new URLSearchParams(address), roles)).toEqual(expected)
  })

  it('takes only the roles that the list holds', () => {
    const query = new URLSearchParams('role=user')
    expect(readListParams(query, ['admin', 'super_admin']).role).toBe('')
  })

  it('keeps what is read, without what is as usual', () => {
    expect(writeListParams(everything).toString()).toBe('')
    const kept = { search: 'Adé & sons', role: 'user', status: 'disabled', page: 7 } as const
    expect(readListParams(writeListParams(kept), roles)).toEqual(kept)
  })

  it('knows the statuses of the contract', () => {
    expect(statuses).toEqual(userStatuses)
  })

  it('says whether something narrows the list; a page does not', () => {
    expect(isFiltered({ ...everything, page: 2 })).toBe(false)
    expect(isFiltered({ ...everything, status: 'enabled' })).toBe(true)
  })
})

const account = (changes: Partial<AdminUser>): AdminUser => ({
  id: 'them',
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

describe('what is offered', () => {
  it.each([
    ['admin', 'user', { edit: true, toggle: true, role: false }],
    ['admin', 'admin', { edit: false, toggle: true, role: false }],
    ['admin', 'super_admin', { edit: false, toggle: false, role: false }],
    ['super_admin', 'user', { edit: true, toggle: true, role: true }],
    ['super_admin', 'admin', { edit: true, toggle: true, role: true }],
    ['super_admin', 'super_admin', { edit: true, toggle: false, role: true }],
  ] as const)('%s for another %s', (role, theirs, offers) => {
    expect(offersFor({ id: 'me', role }, account({ role: theirs }))).toMatchObject(offers)
  })

  it.each([
    ['admin', { edit: false, toggle: false, role: false }],
    ['super_admin', { edit: true, toggle: false, role: false }],
  ] as const)('%s for themselves', (role, offers) => {
    expect(offersFor({ id: 'me', role }, account({ id: 'me', role }))).toMatchObject(offers)
  })

  it.each([
    ['admin', 'admin', false],
    ['super_admin', 'user', false],
    ['super_admin', 'admin', true],
    ['super_admin', 'super_admin', true],
  ] as const)('whether %s may reset the authenticator app of another %s', (role, theirs, offered) => {
    expect(offersFor({ id: 'me', role }, account({ role: theirs })).resetApp).toBe(offered)
    expect(offersFor({ id: 'them', role }, account({ role: theirs })).resetApp).toBe(false)
  })

  it('verification only while it is due', () => {
    const viewer = { id: 'me', role: 'admin' } as const
    expect(offersFor(viewer, account({ is_verified: false })).verify).toBe(true)
    expect(offersFor(viewer, account({})).verify).toBe(false)
  })
})
