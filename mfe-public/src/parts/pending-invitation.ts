const KEY = 'invitation'
/** How long an invitation is valid, in milliseconds. */
const LIFETIME_MS = 7 * 86_400_000

/** Stores the invitation that was opened before registration, so that the first login returns to it. */
export function persistInvitation(token: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ token, at: Date.now() }))
  } catch {
    // Without storage, the link in the mail still works.
  }
}

/** The path of the invitation that was opened in this browser, if any. */
export function persistedInvitation(): string | undefined {
  try {
    const { token, at } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof token === 'string' && Date.now() - at < LIFETIME_MS ? invitationPath(token) : undefined
  } catch {
    return undefined
  }
}

/** Called once the invitation has been answered, or no longer can be. */
export function forgetInvitation(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}

export const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`

/** True for the page of an invitation: besides dashboard screens, the only page that a login returns to. */
export const isInvitation = (address: string) => /^\/invitations\/[\w~%-]+$/.test(address)
