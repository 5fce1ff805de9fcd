/** Maximum number of address lines on a letter; further parts of an address are appended to the last line. */
const MAX_LINES = 5

/**
 * Splits an account's address ("company, line 1, line 2, city, state, country") for a letter: the part before the first comma
 * is the company. If that part is empty, the letter is addressed to the account's name.
 */
export function splitAddress(address: string, name: string): { company: string; address: string[] } {
  const [company = '', ...addressParts] = address
    .split(/[,\r\n]+/)
    .map(part => part.trim().replace(/\s+/g, ' '))
  const lines = addressParts.filter(part => part !== '')
  if (lines.length > MAX_LINES) {
    const head = lines.slice(0, MAX_LINES - 1)
    return { company: company || name, address: [...head, lines.slice(MAX_LINES - 1).join(', ')] }
  }
  return { company: company || name, address: lines }
}
