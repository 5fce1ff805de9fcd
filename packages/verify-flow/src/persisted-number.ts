const STORAGE_KEY = 'portal.verify.number'
/** How long a number waits for login, in milliseconds: as long as an email verification link is valid. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000

/*
 * Stores the number that a visitor typed, for the same tab. Once submitted, it is also stored for the next login in any tab,
 * because the link that verifies an email address opens in a new one. If storage is blocked, the visitor has to type the number
 * again.
 */

function tryOrUndefined<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Stores the number for this tab; with `forNextLogin`, also for the next login in any tab. */
export function persistNumber(number: string, forNextLogin = false): void {
  tryOrUndefined(() => {
    sessionStorage.setItem(STORAGE_KEY, number)
    if (forNextLogin) localStorage.setItem(STORAGE_KEY, `${Date.now()} ${number}`)
  })
}

/** Returns the number that was typed in this tab, or an empty string. */
export const readPersistedNumber = (): string =>
  tryOrUndefined(() => sessionStorage.getItem(STORAGE_KEY)) ?? ''

/** Returns the number that is waiting for a login in any tab, or an empty string. */
export function readWaitingNumber(): string {
  const [, at, number] =
    /^(\d+) (.+)$/.exec(tryOrUndefined(() => localStorage.getItem(STORAGE_KEY)) ?? '') ?? []
  return number && Math.abs(Date.now() - Number(at)) < MAX_WAIT_MS ? number : ''
}

/** Removes the number once it has been used. */
export function clearPersistedNumber(): void {
  tryOrUndefined(() => {
    sessionStorage.removeItem(STORAGE_KEY)
    localStorage.removeItem(STORAGE_KEY)
  })
}
