/** Characters that continue an address, making it another one. */
const before = /[\w.%+-]$/
const after = /^(?:[\w-]|\.\w|@)/

/**
 * True if text contains an email address, not just a longer address that includes it.
 * @param address in lowercase
 */
export function mentions(text: string, address: string): boolean {
  const folded = text.toLowerCase()
  for (let at = folded.indexOf(address); at >= 0; at = folded.indexOf(address, at + 1)) {
    if (!before.test(folded.slice(0, at)) && !after.test(folded.slice(at + address.length))) return true
  }
  return false
}
