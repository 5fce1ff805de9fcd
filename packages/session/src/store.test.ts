import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isExpired, readClaims } from './claims.ts'
import { dashboardRole, isAdmin, mayOpen, roleLabel } from './roles.ts'

function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const binary = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
const makeToken = (claims: object) => `${encode({ alg: 'HS256' })}.${encode(claims)}.signature`
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

/** Implements the parts of `Storage` that are used, so that each test starts with an empty browser. */
function createFakeStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>()
  return {
    getItem: key => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: key => void values.delete(key),
  }
}

const ada = { id: 'u1', firstname: 'Ada', lastname: 'Obi', email: 'ada@example.org', role: 'user' }

async function loadNewStore() {
  vi.resetModules()
  return import('./store.ts')
}

beforeEach(() => {
  vi.stubGlobal('localStorage', createFakeStorage())
})

describe('token', () => {
  it('is decoded into its claims, including names with diacritics', () => {
    expect(readClaims(makeToken({ sub: 'Ọláṣẹ́ńí', exp: 5, extra: 1 }))).toEqual({ sub: 'Ọláṣẹ́ńí', exp: 5 })
  })

  it.each(['', 'x', 'a.b', 'a.b.c.d', 'a.%%%.c', `a.${encode([1])}.c`, `a.${encode('text')}.c`])(
    'is not decoded if it is malformed: %s',
    malformed => {
      expect(readClaims(malformed)).toBeUndefined()
      expect(isExpired(malformed)).toBe(true)
    },
  )

  it('expires at the exact second, and counts as expired if it has no expiry', { tags: ['SPEC-2.4'] }, () => {
    expect(isExpired(makeToken({ exp: 100 }), 99_999)).toBe(false)
    expect(isExpired(makeToken({ exp: 100 }), 100_000)).toBe(true)
    expect(isExpired(makeToken({ sub: 'x' }))).toBe(true)
  })
})

describe('session', () => {
  it('is stored under the keys `token` and `user`, and survives a reload', {
    tags: ['SPEC-3.2'],
  }, async () => {
    const beforeReload = await loadNewStore()
    const liveToken = makeToken({ exp: inSeconds(60) })
    beforeReload.signIn({ token: liveToken, user: ada })
    expect(localStorage.getItem('token')).toBe(liveToken)
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(ada)
    const afterReload = await loadNewStore()
    expect(afterReload.session.get()).toEqual({ token: liveToken, user: ada })
    expect(afterReload.hasLiveSession()).toBe(true)
  })

  it.each([
    ['no user', { token: makeToken({ exp: inSeconds(60) }) }],
    ['no token', { user: JSON.stringify(ada) }],
    ['a user that is not JSON', { token: makeToken({ exp: inSeconds(60) }), user: '{' }],
    ['an expired token', { token: makeToken({ exp: inSeconds(-1) }), user: JSON.stringify(ada) }],
    ['a token that cannot be decoded', { token: 'x', user: JSON.stringify(ada) }],
  ])('with %s is not live, and is cleared', async (_, stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
    const store = await loadNewStore()
    expect(store.hasLiveSession()).toBe(false)
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
    expect(store.session.get()).toEqual({ token: undefined, user: undefined })
  })

  it.each([
    ['the subject of its token', makeToken({ sub: 'u7', exp: inSeconds(60) }), 'u7'],
    ['the email address', makeToken({ exp: inSeconds(60) }), ada.email],
  ])("gets %s as the user's ID if the stored record has none", async (_, stored, id) => {
    const { id: _id, ...record } = ada
    localStorage.setItem('token', stored)
    localStorage.setItem('user', JSON.stringify(record))
    const { session } = await loadNewStore()
    expect(session.get().user).toEqual({ ...record, id })
  })

  it('stores a profile update, but only the fields of the session’s user', {
    tags: ['SPEC-3.3', 'SPEC-7.6'],
  }, async () => {
    const store = await loadNewStore()
    store.mergeUser({ firstname: 'Nobody' })
    expect(store.session.get().user).toBeUndefined()
    store.signIn({ token: makeToken({ exp: inSeconds(60) }), user: ada })
    store.mergeUser({ ...ada, firstname: 'Adaeze', ...{ phone: '0801' } })
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({ ...ada, firstname: 'Adaeze' })
  })

  it('is not stored again by a profile update after another tab has ended it', async () => {
    const store = await loadNewStore()
    store.signIn({ token: makeToken({ exp: inSeconds(60) }), user: ada })
    localStorage.removeItem('token')
    localStorage.removeItem('user')
    store.mergeUser({ firstname: 'Adaeze' })
    expect(localStorage.getItem('user')).toBeNull()
  })

  it('notifies subscribers when it ends in this tab', async () => {
    const store = await loadNewStore()
    const listener = vi.fn()
    const unsubscribe = store.onSignOut(listener)
    store.signOut()
    expect(listener).toHaveBeenCalledExactlyOnceWith('here')
    unsubscribe()
    store.signOut()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('follows changes in another tab', async () => {
    const store = await loadNewStore()
    const listener = vi.fn()
    store.onSignOut(listener)
    localStorage.setItem('token', makeToken({ exp: inSeconds(60) }))
    localStorage.setItem('user', JSON.stringify(ada))
    store.followOtherTabs({ key: 'theme' })
    expect(store.session.get().user).toBeUndefined()
    store.followOtherTabs({ key: 'user' })
    expect(store.session.get().user).toEqual(ada)
    localStorage.removeItem('token')
    store.followOtherTabs({ key: 'token' })
    expect(listener).toHaveBeenCalledExactlyOnceWith('elsewhere')
  })

  it('is kept in memory if there is no storage', async () => {
    vi.stubGlobal('localStorage', undefined)
    const store = await loadNewStore()
    store.signIn({ token: makeToken({ exp: inSeconds(60) }), user: ada })
    expect(store.hasLiveSession()).toBe(true)
  })
})

describe('role', () => {
  it('falls back to the user view for an unknown role', { tags: ['SPEC-2.37', 'SPEC-6.1'] }, () => {
    expect(['user', 'admin', 'super_admin', 'owner', undefined].map(dashboardRole)).toEqual([
      'user',
      'admin',
      'super_admin',
      'user',
      'user',
    ])
    expect([isAdmin('admin'), isAdmin('super_admin'), isAdmin('user'), isAdmin('owner')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(['super_admin', 'admin', 'user', 'odd', undefined].map(roleLabel)).toEqual([
      'Super Administrator',
      'Administrator',
      'User',
      'User',
      'User',
    ])
  })

  it('decides which pages a user may open', () => {
    expect(mayOpen('public', undefined)).toBe(true)
    expect(mayOpen(['admin', 'super_admin'], 'user')).toBe(false)
    expect(mayOpen(['user'], 'owner')).toBe(true)
  })
})
