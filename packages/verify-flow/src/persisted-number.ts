const KEY = 'portal.verify.number'
/** How long a number waits for login: as long as an email confirmation link is valid. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000

/* Stores the number that a visitor typed: for this tab and, once submitted, for the next login in any tab, because an
   email confirmation opens in a new one. If storage is blocked, the number must be typed again. */

function tryOrUndefined<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Stores the number; with `waiting` set, for every tab until login. */
export function persistNumber(number: string, waiting = false): void {
  tryOrUndefined(() => {
    sessionStorage.setItem(KEY, number)
    if (waiting) localStorage.setItem(KEY, `${Date.now()} ${number}`)
  })
}

/** Returns the number typed in this tab, or an empty string. */
export const persistedNumber = (): string => tryOrUndefined(() => sessionStorage.getItem(KEY)) ?? ''

/** Returns the number waiting for a login in any tab, or an empty string. */
export function waitingNumber(): string {
  const [, at, number] = /^(\d+) (.+)$/.exec(tryOrUndefined(() => localStorage.getItem(KEY)) ?? '') ?? []
  return number && Math.abs(Date.now() - Number(at)) < MAX_WAIT_MS ? number : ''
}

/** Removes the number after use. */
export function clearPersistedNumber(): void {
  tryOrUndefined(() => {
    sessionStorage.removeItem(KEY)
    localStorage.removeItem(KEY)
  })
}
