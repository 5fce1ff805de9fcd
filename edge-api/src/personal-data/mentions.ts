/** Characters next to an address that make it part of a longer address. */
const before = /[\w.%+-]$/
const after = /^(?:[\w-]|\.\w|@)/

/**
 * True if text contains an email address, not just a longer address that includes it.
 * @param address in lowercase
 */
export function mentions(text: string, address: string): boolean {
  const folded = text.toLowerCase()
  for (let index = folded.indexOf(address); index >= 0; index = folded.indexOf(address, index + 1)) {
    if (!before.test(folded.slice(0, index)) && !after.test(folded.slice(index + address.length))) return true
  }
  return false
}
