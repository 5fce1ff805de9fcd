import { fold } from '@portal/format/folding'

/** What the search index reads of a certificate: number, name and course, folded, each on a line of its own. */
export const searchable = (number: string, name: string, course: string) =>
  fold([number, name, course].map(text => text.replaceAll('\n', ' ')).join('\n'))

export type Search =
  | { kind: 'all' }
  /** Too short for trigrams: the beginning of a certificate number. */
  | { kind: 'prefix'; from: string; before: string }
  /** An FTS5 expression over `certificate_search`. */
  | { kind: 'match'; expression: string }

/** Letters that a trigram index needs at least. */
const TRIGRAM = 3
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/**
 * What a search looks for: every word in any order where all are long enough, else the text as it stands; case and
 * diacritics do not matter. Under three characters, how a certificate number begins.
 */
export function searchOf(typed: string): Search {
  const text = fold(typed.trim().replace(/\s+/g, ' '))
  const length = [...text].length
  if (length === 0) return { kind: 'all' }
  if (length < TRIGRAM) {
    const from = text.toUpperCase()
    return { kind: 'prefix', from, before: `${from}\u{10ffff}` }
  }
  const words = text.split(' ')
  const all = words.every(word => [...word].length >= TRIGRAM) ? words : [text]
  return { kind: 'match', expression: all.map(quoted).join(' AND ') }
}
