const KEY = 'portal.verify.number'

/*
 * The number a visitor typed, kept over log-in for this tab. Storage may be refused; the number is then typed again.
 */

/** Keeps what was typed. */
export function keepNumber(number: string): void {
  try {
    sessionStorage.setItem(KEY, number)
  } catch {
    // Nothing is lost but the convenience.
  }
}

/** What was kept, or an empty string. */
export function keptNumber(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

/** Forgets it, once it was used. */
export function dropKeptNumber(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // As above.
  }
}
