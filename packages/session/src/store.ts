import { create } from 'zustand'
import { isExpired } from './claims.ts'
import {
  readStoredSession,
  type StoredSession,
  type StoredUser,
  TOKEN_KEY,
  USER_KEY,
  writeStoredSession,
} from './storage.ts'

const signedOut: StoredSession = { token: undefined, user: undefined }

/** React hook for the session: `useSession(s => s.user)`. The shell and every remote share it. */
export const useSession = create<StoredSession>()(() => signedOut)

// Set only after creation, so that the store's initial state, with which static pages are rendered, has no session.
useSession.setState(readStoredSession())

/**
 * How a session ended. `here`: signed out in this tab; `refused`: expired, or rejected by the server; `elsewhere`: ended in
 * another tab.
 */
export type SignOutOrigin = 'here' | 'refused' | 'elsewhere'

const signOutListeners = new Set<(origin: SignOutOrigin) => void>()

let sessionEnd: SignOutOrigin | undefined

/** Returns how the last session on this page ended; undefined if there was none, or if a session is active. */
export const getSessionEnd = (): SignOutOrigin | undefined => sessionEnd

function notifySignOut(origin: SignOutOrigin) {
  for (const listener of signOutListeners) listener(origin)
}

/** The session, for use outside React. */
export const session = {
  get: () => useSession.getState(),
  subscribe: useSession.subscribe,
}

function save(next: StoredSession) {
  writeStoredSession(next)
  useSession.setState(next)
}

/** Starts a session from the reply of `POST /auth/login`. The expiry is read from the token, not from `expires_at`. */
export function signIn(login: { token: string; user: StoredUser; expires_at?: string }): void {
  sessionEnd = undefined
  save({ token: login.token, user: login.user })
}

/** Ends the session in every tab of this browser; the shell then goes to the landing page. */
export function signOut(): void {
  end('here')
}

/** Ends the session after a 401. The landing page then explains why. */
export function handleRefusedSession(): void {
  end('refused')
}

function end(origin: 'here' | 'refused') {
  // Set before the store changes, because its subscribers may read it.
  sessionEnd = origin
  save(signedOut)
  notifySignOut(origin)
}

/** Calls `listener` when the session ends through sign-out, a 401 or another tab. Returns the unsubscribe function. */
export function onSignOut(listener: (origin: SignOutOrigin) => void): () => void {
  signOutListeners.add(listener)
  return () => signOutListeners.delete(listener)
}

/** Updates the stored user after a change of the profile; does nothing without a session. */
export function mergeUser(changes: Partial<StoredUser>): void {
  const { token, user } = session.get()
  if (!user) return
  const { id, firstname, lastname, email, role } = { ...user, ...changes }
  // Another tab may have ended the session just now, without its `storage` event having arrived here yet.
  if (readStoredSession().token === token) save({ token, user: { id, firstname, lastname, email, role } })
}

/**
 * Route guard: true if there are a token and a user and the token has not expired. Otherwise, clears both; the caller
 * redirects.
 */
export function hasLiveSession(now: number = Date.now()): boolean {
  const { token, user } = session.get()
  if (token && user && !isExpired(token, now)) return true
  if (token || user) {
    sessionEnd = 'refused'
    save(signedOut)
  } else writeStoredSession(signedOut)
  return false
}

/** Applies a change that another tab made to the stored session; `storage` events do not fire in the tab that wrote. */
export function followOtherTabs(event: Pick<StorageEvent, 'key'>): void {
  if (event.key !== null && event.key !== TOKEN_KEY && event.key !== USER_KEY) return
  const before = session.get()
  const stored = readStoredSession()
  if (before.token && !stored.token) sessionEnd = 'elsewhere'
  useSession.setState(stored)
  if (before.token && !stored.token) notifySignOut('elsewhere')
}

globalThis.addEventListener?.('storage', followOtherTabs)
