import { fold } from '@portal/format/folding'
import { memoisePerWord } from '../bounded-map.ts'
import { quote } from '../db/quote.ts'

const ASCII = /^[ -~]*$/

/** Caches folded words, because most words of an upload occur in many rows. */
const foldCached = memoisePerWord(fold)
const foldWord = (word: string) => (ASCII.test(word) ? word.toLowerCase() : foldCached(word))

const foldWords = (text: string) =>
  ASCII.test(text) ? text.toLowerCase() : text.replaceAll('\n', ' ').split(' ').map(foldWord).join(' ')

/** Returns the search text of a certificate: its folded number, name and course, one per line. */
export const toSearchText = (number: string, name: string, course: string) =>
  [number, name, course].map(foldWords).join('\n')

/** A range of certificate numbers in index order, from `from` (inclusive) to `before` (exclusive). */
export interface NumberRange {
  from: string
  before: string
}

export type Search =
  | { kind: 'all' }
  /** Text too short for trigrams, which is searched as the beginning of a certificate number. */
  | ({ kind: 'prefix' } & NumberRange)
  /**
   * An FTS5 expression over `certificate_search`. Text that looks like a certificate number is first searched for as the
   * beginning of one, because with trigrams that all numbers share (`UG/`, `/20`), the index would compare millions of
   * positions.
   */
  | { kind: 'match'; expression: string; number?: NumberRange }

const toNumberRange = (text: string): NumberRange => {
  const from = text.toUpperCase()
  return { from, before: `${from}\u{10ffff}` }
}

/**
 * Shape of a certificate number or its beginning, such as `ug/20` or `pg/2019/00123`: letters, a slash, and a digit somewhere
 * after it.
 */
const NUMBER_SHAPE = /^[a-z]{2,6}\/[a-z0-9/-]*\d[a-z0-9/-]*$/

/** Minimum length of a text that a trigram index can find. */
const TRIGRAM_LENGTH = 3

const normalise = (typed: string) => fold(typed.trim().replace(/\s+/g, ' '))

/**
 * Returns the folded texts that a search looks for: each word, if all words are long enough for the index, or otherwise the
 * whole text.
 */
export function splitSearch(typed: string): string[] {
  const text = normalise(typed)
  const words = text.split(' ')
  return words.every(word => [...word].length >= TRIGRAM_LENGTH) ? words : [text]
}

/**
 * Parses a search text. If all words are long enough for the index, a certificate must contain each of them, in any order, and
 * otherwise the whole text; case and diacritics do not matter. Text of fewer than three characters matches the beginning of a
 * certificate number.
 */
export function parseSearch(typed: string): Search {
  const text = normalise(typed)
  const length = [...text].length
  if (length === 0) return { kind: 'all' }
  if (length < TRIGRAM_LENGTH) return { kind: 'prefix', ...toNumberRange(text) }
  const expression = splitSearch(typed).map(quote).join(' AND ')
  return NUMBER_SHAPE.test(text)
    ? { kind: 'match', expression, number: toNumberRange(text) }
    : { kind: 'match', expression }
}
