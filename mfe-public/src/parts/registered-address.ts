const STORAGE_KEY = 'registered-address'
/** How long a verification link is valid, in milliseconds. */
const LIFETIME_MS = 86_400_000

/** Stores the email address of a new account in this browser, to fill in the login form after it is confirmed. */
export function persistRegisteredAddress(email: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ email, at: Date.now() }))
  } catch {
    // If there is no storage, the user has to type the address again.
  }
}

/** Returns the last address that was registered in this browser within the past day; empty if there is none. */
export function readRegisteredAddress(): string {
  try {
    const { email, at } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof email === 'string' && Date.now() - at < LIFETIME_MS ? email : ''
  } catch {
    return ''
  }
}

/** Forgets the address, once someone has logged in. */
export function forgetRegisteredAddress(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // If there is no storage, nothing was stored.
  }
}
