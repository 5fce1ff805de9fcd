const keyOf = (userId: string) => `portal.bulk:${userId}`

/*
 * The list that somebody types or reads from a file, kept in this tab until it is being paid for: from then on the
 * payment itself holds the numbers. Storage may be refused; a reload then empties the field.
 */

/** Keeps the list of this user; an empty one is forgotten. */
export function keepList(userId: string | undefined, text: string): void {
  if (!userId) return
  try {
    if (text === '') sessionStorage.removeItem(keyOf(userId))
    else sessionStorage.setItem(keyOf(userId), text)
  } catch {
    // Nothing is lost before a reload.
  }
}

/** What was kept, or an empty string. */
export function keptList(userId: string | undefined): string {
  if (!userId) return ''
  try {
    return sessionStorage.getItem(keyOf(userId)) ?? ''
  } catch {
    return ''
  }
}
