import { formatCount } from './numbers.ts'

/** A noun in the singular, together with its plural if that is irregular. */
export type Noun = string | readonly [one: string, many: string]

/**
 * Formats a count as `1 verification`, `93 verifications`, or, if counting stopped, `10,000 or more verifications`.
 * @param noun the singular, from which the plural is derived, or both
 */
export function counted(total: number, noun: Noun, { stopped = false }: { stopped?: boolean } = {}): string {
  const singular = typeof noun === 'string' ? noun : noun[0]
  return `${formatCount(total)}${stopped ? ' or more' : ''} ${total === 1 ? singular : pluralOf(noun)}`
}

/** Returns the given plural, or the regular plural of the noun. */
export function pluralOf(noun: Noun): string {
  if (typeof noun !== 'string') return noun[1]
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
