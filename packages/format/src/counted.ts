import { formatCount } from './numbers.ts'

/**
 * `1 verification`, `93 verifications`, or for a count that stopped `10,000 or more verifications`.
 * @param noun one thing; the plural is formed from it unless both are given
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
