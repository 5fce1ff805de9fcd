import type { SessionUser } from '@portal/contract/shapes'
import { readClaims } from './claims.ts'

/** The user record stored with the token. The role is a plain string, because it may be unknown to this version. */
export type StoredUser = Omit<SessionUser, 'role'> & { role: string }

export interface StoredSession {
  token: string | undefined
  user: StoredUser | undefined
}

export const TOKEN_KEY = 'token'
export const USER_KEY = 'user'

// In private windows and with strict settings, even reading `localStorage` may throw; the session is then kept only in memory.
function attempt<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(globalThis.localStorage)
  } catch {
    return undefined
  }
}

function isStoredUser(value: unknown): value is StoredUser {
  if (typeof value !== 'object' || value === null) return false
  const text = (field: string) => field in value && typeof Reflect.get(value, field) === 'string'
  return ['firstname', 'lastname', 'email', 'role'].every(text)
}

function parseUser(stored: string | null | undefined): StoredUser | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return isStoredUser(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Adds the ID, which the specification's record lacks: the token's subject or, without one, the email address, which is also
 * unique.
 */
const withId = (user: StoredUser, token: string | undefined): StoredUser => ({
  ...user,
  id: user.id || (token && readClaims(token)?.sub) || user.email,
})

export function readStoredSession(): StoredSession {
  const token = attempt(storage => storage.getItem(TOKEN_KEY)) || undefined
  const user = parseUser(attempt(storage => storage.getItem(USER_KEY)))
  return { token, user: user && withId(user, token) }
}

export function writeStoredSession({ token, user }: StoredSession): void {
  attempt(storage => {
    if (token) storage.setItem(TOKEN_KEY, token)
    else storage.removeItem(TOKEN_KEY)
    if (user) storage.setItem(USER_KEY, JSON.stringify(user))
    else storage.removeItem(USER_KEY)
  })
}
