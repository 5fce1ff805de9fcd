const maxLength = 50

/** Groups an ID by fours: `CVF01234` becomes `CVF0-1234`. Ignores existing dashes. */
export function groupTransactionId(id: string): string {
  return id.replaceAll('-', '').replace(/(.{4})(?=.)/g, '$1-')
}

/** Sanitises the tracking field's input: uppercase, `A-Z 0-9 - _`, at most 50 characters. */
export function cleanTransactionId(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9_-]/g, '')
    .slice(0, maxLength)
}

/** Returns the ID as the API expects it, without the grouping dashes. */
export function plainTransactionId(typed: string): string {
  return cleanTransactionId(typed).replaceAll('-', '')
}
