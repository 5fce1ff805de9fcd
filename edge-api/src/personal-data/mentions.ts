/** Match the text before and after an address if the address is only part of a longer one. */
const LONGER_ADDRESS_BEFORE = /[\w.%+-]$/
const LONGER_ADDRESS_AFTER = /^(?:[\w-]|\.\w|@)/

/** True if the text contains this email address, and not only a longer one that includes it. @param address in lowercase */
export function mentionsAddress(text: string, address: string): boolean {
  const lowerText = text.toLowerCase()
  for (let index = lowerText.indexOf(address); index >= 0; index = lowerText.indexOf(address, index + 1)) {
    if (
      !LONGER_ADDRESS_BEFORE.test(lowerText.slice(0, index)) &&
      !LONGER_ADDRESS_AFTER.test(lowerText.slice(index + address.length))
    )
      return true
  }
  return false
}
