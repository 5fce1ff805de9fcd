const maxLength = 50

/** Groups an ID in fours: `CVF0-1234` for `CVF01234`. Existing dashes are ignored. */
export function groupTransactionId(id: string): string {
  return id.replaceAll('-', '').replace(/(.{4})(?=.)/g, '$1-')
}

/** Cleans the input of the tracking field: uppercase, only `A-Z 0-9 - _`, at most 50 characters. */
export function cleanTransactionId(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9_-]/g, '')
    .slice(0, maxLength)
}

/** Returns a typed or grouped ID as the API expects it, without dashes. */
export function plainTransactionId(typed: string): string {
  return cleanTransactionId(typed).replaceAll('-', '')
}
