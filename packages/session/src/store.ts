import { create } from 'zustand'
import { isExpired } from './claims.ts'
import { readStored, type Stored, type StoredUser, TOKEN_KEY, USER_KEY, writeStored } from './storage.ts'

/** The session as React reads it: `useSession(s => s.user)`. Shared by the shell and every remote. */
export const useSession = create<Stored>()(() => readStored())

/**
 * `here`: someone signed out in this tab; `refused`: it is over, as its time or the server says; `elsewhere`: another
 * tab ended it.
 */
export type SignOutOrigin = 'here' | 'refused' | 'elsewhere'

const signOutListeners = new Set<(origin: SignOutOrigin) => void>()

let ended: SignOutOrigin | undefined

/** How this page's last session ended; undefined when it had none, or has one. */
export const howSessionEnded = (): SignOutOrigin | undefined => ended

function tellSignOut(origin: SignOutOrigin) {
  for (const listener of signOutListeners) listener(origin)
}

/** The session outside React. */
export const session = {
  get: () => useSession.getState(),
  subscribe: useSession.subscribe,
}

function keep(next: Stored) {
  writeStored(next)
  useSession.setState(next)
}

const nobody: Stored = { token: undefined, user: undefined }

/** Starts a session with the reply of `POST /auth/login`; the expiry is read from the token itself. */
export function signIn(login: { token: string; user: StoredUser; expires_at?: string }): void {
  ended = undefined
  keep({ token: login.token, user: login.user })
}

/** Ends the session in every tab of this browser and tells the shell, which goes to the landing page. */
export function signOut(): void {
  end('here')
}

/** The same after a 401: nobody chose to leave, and the landing page says why they are there. */
export function sessionRefused(): void {
  end('refused')
}

function end(origin: 'here' | 'refused') {
  // Before the store changes: whoever hears of that may ask.
  ended = origin
  keep(nobody)
  tellSignOut(origin)
}

/** Calls `listener` whenever the session ends: sign-out, a 401, or another tab. Returns the way to stop. */
export function onSignOut(listener: (origin: SignOutOrigin) => void): () => void {
  signOutListeners.add(listener)
  return () => signOutListeners.delete(listener)
}

/** Merges changed fields (after a profile update) into the stored user; without a session it does nothing. */
export function mergeUser(changes: Partial<StoredUser>): void {
  const { token, user } = session.get()
  if (!user) return
  const { id, firstname, lastname, email, role } = { ...user, ...changes }
  keep({ token, user: { id, firstname, lastname, email, role } })
}

/**
 * The guard: token and user are stored, the token can be decoded and has not expired. Otherwise clears both and
 * answers false; where to go then is the caller's business.
 */
export function hasLiveSession(now: number = Date.now()): boolean {
  const { token, user } = session.get()
  if (token && user && !isExpired(token, now)) return true
  if (token || user) {
    ended = 'refused'
    keep(nobody)
  } else writeStored(nobody)
  return false
}

/** Takes over what another tab wrote. `storage` events never fire in the tab that wrote. */
export function followOtherTabs(event: Pick<StorageEvent, 'key'>): void {
  if (event.key !== null && event.key !== TOKEN_KEY && event.key !== USER_KEY) return
  const before = session.get()
  const stored = readStored()
  if (before.token && !stored.token) ended = 'elsewhere'
  useSession.setState(stored)
  if (before.token && !stored.token) tellSignOut('elsewhere')
}

globalThis.addEventListener?.('storage', followOtherTabs)
