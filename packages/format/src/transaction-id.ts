const maxLength = 50

/** Groups of four by dashes, for reading aloud and copying: `CVF01234` is `CVF0-1234`. Dashes already there do not count. */
export function groupTransactionId(id: string): string {
  return id.replaceAll('-', '').replace(/(.{4})(?=.)/g, '$1-')
}

/** What a tracking field keeps of what is typed or pasted: upper case, `A-Z 0-9 - _`, at most 50 characters. */
export function cleanTransactionId(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9_-]/g, '')
    .slice(0, maxLength)
}

/** The id as the API knows it: cleaned, without the dashes that only help reading. */
export function plainTransactionId(typed: string): string {
  return cleanTransactionId(typed).replaceAll('-', '')
}
