import { formatCount } from './numbers.ts'

/**
 * Formats a count as `1 verification`, `93 verifications`, or `10,000 or more verifications` if counting stopped.
 * @param noun the singular; the plural is derived from it unless both are given
 */
export function counted(
  total: number,
  noun: string | readonly [one: string, many: string],
  { stopped = false }: { stopped?: boolean } = {},
): string {
  const [one, many] = typeof noun === 'string' ? [noun, pluralOf(noun)] : noun
  return `${formatCount(total)}${stopped ? ' or more' : ''} ${total === 1 ? one : many}`
}

const pluralOf = (word: string) => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`)
