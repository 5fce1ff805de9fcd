import { formatCount } from '@portal/format/numbers'

/** A search counts no further; see `MOST_COUNTED` of the API. */
const MOST_COUNTED = 10_000

/** `1 verification`, `93 verifications`, of a search that matches very many `10,000 or more verifications`. */
export function counted(total: number, word: string, search = ''): string {
  const more = search !== '' && total === MOST_COUNTED ? ' or more' : ''
  const words = total === 1 ? word : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`
  return `${formatCount(total)}${more} ${words}`
}
