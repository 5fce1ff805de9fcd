/** Match the text before and after an address if it makes the address part of a longer one. */
const before = /[\w.%+-]$/
const after = /^(?:[\w-]|\.\w|@)/

/** True if the text contains this email address, and not only a longer one that includes it. @param address in lowercase */
export function mentions(text: string, address: string): boolean {
  const folded = text.toLowerCase()
  for (let index = folded.indexOf(address); index >= 0; index = folded.indexOf(address, index + 1)) {
    if (!before.test(folded.slice(0, index)) && !after.test(folded.slice(index + address.length))) return true
  }
  return false
}
