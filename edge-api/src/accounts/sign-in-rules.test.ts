import { describe, expect, test } from 'vitest'
import {
  createLinkFault,
  findLoginRefusal,
  LINK_LIFETIME_MS,
  linkStateOf,
  SESSION_LIFETIME_MS,
  toProfile,
  toSessionUser,
} from './sign-in-rules.ts'
import type { User } from './store.ts'

describe('links', () => {
  const link = { usedAt: null, expiresAt: 1000 }

  test('are valid for 24 hours to verify an address, 1 hour to reset a password, and 3 days to accept an invitation', () => {
    expect(LINK_LIFETIME_MS).toEqual({
      verify_email: 86_400_000,
      reset_password: 3_600_000,
      invitation: 259_200_000,
    })
  })

  test('work until they expire', () => {
    expect(linkStateOf(link, 999)).toBe('usable')
    expect(linkStateOf(link, 1000)).toBe('expired')
  })

  test('are invalid once used, however old they are', () => {
    expect(linkStateOf({ ...link, usedAt: 500 }, 600)).toBe('invalid')
    expect(linkStateOf({ ...link, usedAt: 500 }, 2000)).toBe('invalid')
  })

  test('are invalid if they never existed', () => {
    expect(linkStateOf(undefined, 0)).toBe('invalid')
  })

  test('are refused with the error code of their purpose', () => {
    expect(createLinkFault('verify_email', 'expired').code).toBe('EXPIRED_VERIFICATION_TOKEN')
    expect(createLinkFault('verify_email', 'invalid').code).toBe('INVALID_VERIFICATION_TOKEN')
    expect(createLinkFault('reset_password', 'expired').code).toBe('EXPIRED_RESET_TOKEN')
    expect(createLinkFault('reset_password', 'invalid').code).toBe('INVALID_RESET_TOKEN')
  })
})

describe('an account', () => {
  test('may log in when it is enabled and verified', () => {
    expect(findLoginRefusal({ isEnabled: true, verifiedAt: 1 })).toBeUndefined()
  })

  test('is reported as disabled rather than unverified', () => {
    expect(findLoginRefusal({ isEnabled: true, verifiedAt: null })?.code).toBe('EMAIL_NOT_VERIFIED')
    expect(findLoginRefusal({ isEnabled: false, verifiedAt: null })?.code).toBe('ACCOUNT_DISABLED')
  })

  test('is returned to its owner without secrets, and stored in the browser with fewer fields', () => {
    const user: User = {
      id: 'x',
      email: 'a@b.test',
      firstname: 'Ada',
      middlename: null,
      lastname: 'Obi',
      phone: '1',
      address: 'Here',
      passwordHash: 'scrypt$',
      role: 'user',
      isEnabled: true,
      verifiedAt: 5,
      createdAt: 0,
      updatedAt: 1,
      erasureDueAt: null,
      erasedAt: null,
      version: 1,
    }
    const sessionUser = { id: 'x', email: 'a@b.test', firstname: 'Ada', lastname: 'Obi', role: 'user' }
    expect(toSessionUser(user)).toEqual(sessionUser)
    const profile = {
      ...sessionUser,
      middlename: null,
      phone: '1',
      address: 'Here',
      is_verified: true,
      version: 1,
    }
    expect(toProfile(user)).toEqual({ ...profile, created_at: '1970-01-01T00:00:00.000Z' })
    expect(toProfile({ ...user, verifiedAt: null }).is_verified).toBe(false)
  })
})

test('a session lasts eight hours', () => {
  expect(SESSION_LIFETIME_MS).toBe(28_800_000)
})
