const KEY = 'portal.verify.number'
/** As long as a confirmation link may take to be opened. */
const WAITS_FOR_MS = 24 * 60 * 60 * 1000

/*
 * The number that a visitor typed, kept for this tab; once sent in, for the next log-in in any tab of this browser: the
 * link that confirms a new account opens another one. Storage may be refused; the number is then typed again.
 */

function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Keeps what was typed; `waiting` for a log-in, it is found in every tab. */
export function keepNumber(number: string, waiting = false): void {
  attempt(() => {
    sessionStorage.setItem(KEY, number)
    if (waiting) localStorage.setItem(KEY, `${Date.now()} ${number}`)
  })
}

/** What was typed in this tab, or an empty string. */
export const keptNumber = (): string => attempt(() => sessionStorage.getItem(KEY)) ?? ''

/** What waits for a log-in in any tab, or an empty string. */
export function waitingNumber(): string {
  const [, at, number] = /^(\d+) (.+)$/.exec(attempt(() => localStorage.getItem(KEY)) ?? '') ?? []
  return number && Math.abs(Date.now() - Number(at)) < WAITS_FOR_MS ? number : ''
}

/** Forgets it, once it was used. */
export function dropKeptNumber(): void {
  attempt(() => {
    sessionStorage.removeItem(KEY)
    localStorage.removeItem(KEY)
  })
}
