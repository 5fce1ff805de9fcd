const STORAGE_KEY = 'invitation'
/** How long an invitation is valid, in milliseconds. */
const LIFETIME_MS = 7 * 86_400_000

/** Stores the invitation that was opened before registration, so that the first login returns to it. */
export function persistInvitation(token: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ token, at: Date.now() }))
  } catch {
    // If there is no storage, the link in the email still works.
  }
}

/** Returns the path of the invitation that was opened in this browser, if any. */
export function readPersistedInvitation(): string | undefined {
  try {
    const { token, at } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof token === 'string' && Date.now() - at < LIFETIME_MS ? invitationPath(token) : undefined
  } catch {
    return undefined
  }
}

/** Forgets the invitation, once it has been answered or can no longer be. */
export function forgetInvitation(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // If there is no storage, nothing was stored.
  }
}

export const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`

/** True for the path of an invitation. A login returns only to invitations and dashboard screens. */
export const isInvitationPath = (address: string) => /^\/invitations\/[\w~%-]+$/.test(address)
