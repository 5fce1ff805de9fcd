/** Characters that continue an address, so that it would be another one. */
const before = /[\w.%+-]$/
const after = /^(?:[\w-]|\.\w|@)/

/**
 * True when a text names an e-mail address, and not merely a longer one that it is a part of.
 * @param address lower-cased
 */
export function mentions(text: string, address: string): boolean {
  const folded = text.toLowerCase()
  for (let at = folded.indexOf(address); at >= 0; at = folded.indexOf(address, at + 1)) {
    if (!before.test(folded.slice(0, at)) && !after.test(folded.slice(at + address.length))) return true
  }
  return false
}
