import { create } from 'zustand'
import { isExpired } from './claims.ts'
import { readStored, type Stored, type StoredUser, TOKEN_KEY, USER_KEY, writeStored } from './storage.ts'

const signedOut: Stored = { token: undefined, user: undefined }

/** React hook for the session: `useSession(s => s.user)`. Shared by the shell and every remote. */
export const useSession = create<Stored>()(() => signedOut)

// Set after creation, so that the initial state, which static pages are rendered with, has no session.
useSession.setState(readStored())

/** `here`: signed out in this tab; `refused`: expired or rejected by the server; `elsewhere`: ended in another tab. */
export type SignOutOrigin = 'here' | 'refused' | 'elsewhere'

const signOutListeners = new Set<(origin: SignOutOrigin) => void>()

let ended: SignOutOrigin | undefined

/** How the last session on this page ended; undefined if there was none or a session is active. */
export const sessionEnd = (): SignOutOrigin | undefined => ended

function notifySignOut(origin: SignOutOrigin) {
  for (const listener of signOutListeners) listener(origin)
}

/** The session outside React. */
export const session = {
  get: () => useSession.getState(),
  subscribe: useSession.subscribe,
}

function save(next: Stored) {
  writeStored(next)
  useSession.setState(next)
}

/** Starts a session from the reply of `POST /auth/login`; the expiry is read from the token. */
export function signIn(login: { token: string; user: StoredUser; expires_at?: string }): void {
  ended = undefined
  save({ token: login.token, user: login.user })
}

/** Ends the session in every tab of this browser; the shell then goes to the landing page. */
export function signOut(): void {
  end('here')
}

/** Ends the session after a 401; the landing page explains why. */
export function sessionRefused(): void {
  end('refused')
}

function end(origin: 'here' | 'refused') {
  // Set before the store changes, because subscribers may read it.
  ended = origin
  save(signedOut)
  notifySignOut(origin)
}

/** Calls `listener` when the session ends through sign-out, a 401 or another tab. Returns the unsubscribe function. */
export function onSignOut(listener: (origin: SignOutOrigin) => void): () => void {
  signOutListeners.add(listener)
  return () => signOutListeners.delete(listener)
}

/** Merges changed fields (after a profile update) into the stored user; does nothing without a session. */
export function mergeUser(changes: Partial<StoredUser>): void {
  const { token, user } = session.get()
  if (!user) return
  const { id, firstname, lastname, email, role } = { ...user, ...changes }
  // Another tab may just have ended the session; its `storage` event has not arrived here yet.
  if (readStored().token === token) save({ token, user: { id, firstname, lastname, email, role } })
}

/**
 * Route guard: true if token and user are stored and the token has not expired. Otherwise clears both and leaves
 * the redirect to the caller.
 */
export function hasLiveSession(now: number = Date.now()): boolean {
  const { token, user } = session.get()
  if (token && user && !isExpired(token, now)) return true
  if (token || user) {
    ended = 'refused'
    save(signedOut)
  } else writeStored(signedOut)
  return false
}

/** Applies changes made in another tab; `storage` events do not fire in the tab that wrote. */
export function followOtherTabs(event: Pick<StorageEvent, 'key'>): void {
  if (event.key !== null && event.key !== TOKEN_KEY && event.key !== USER_KEY) return
  const before = session.get()
  const stored = readStored()
  if (before.token && !stored.token) ended = 'elsewhere'
  useSession.setState(stored)
  if (before.token && !stored.token) notifySignOut('elsewhere')
}

globalThis.addEventListener?.('storage', followOtherTabs)
