import { fold } from '@portal/format/folding'
import { memoisePerWord } from '../bounded-map.ts'
import { quoted } from '../db/quoted.ts'

const ASCII = /^[ -~]*$/

/** Caches folded words, because most words of an upload occur in many rows. */
const foldCached = memoisePerWord(fold)
const foldWord = (word: string) => (ASCII.test(word) ? word.toLowerCase() : foldCached(word))

const foldWords = (text: string) =>
  ASCII.test(text) ? text.toLowerCase() : text.replaceAll('\n', ' ').split(' ').map(foldWord).join(' ')

/** Returns the search text of a certificate: its folded number, name and course, one per line. */
export const searchable = (number: string, name: string, course: string) =>
  [number, name, course].map(foldWords).join('\n')

/** Numbers from `from` on and before `before`, in index order. */
export interface NumberRange {
  from: string
  before: string
}

export type Search =
  | { kind: 'all' }
  /** Text too short for trigrams, which is searched as the beginning of a certificate number. */
  | ({ kind: 'prefix' } & NumberRange)
  /**
   * An FTS5 expression over `certificate_search`. Text that looks like a number is first searched as the beginning of a
   * number, because trigrams that all numbers share (`UG/`, `/20`) would make the index compare millions of positions.
   */
  | { kind: 'match'; expression: string; number?: NumberRange }

const rangeOf = (text: string): NumberRange => {
  const from = text.toUpperCase()
  return { from, before: `${from}\u{10ffff}` }
}

/** `ug/20`, `pg/2019/00123`: letters, a slash, and a digit somewhere. */
const NUMBER_SHAPE = /^[a-z]{2,6}\/[a-z0-9/-]*\d[a-z0-9/-]*$/

/** Minimum number of letters for a trigram index. */
const TRIGRAM = 3

const normalise = (typed: string) => fold(typed.trim().replace(/\s+/g, ' '))

/**
 * Returns the folded texts that a search looks for: each word if all are long enough for the index, otherwise the whole
 * text.
 */
export function partsOf(typed: string): string[] {
  const text = normalise(typed)
  const words = text.split(' ')
  return words.every(word => [...word].length >= TRIGRAM) ? words : [text]
}

/**
 * A search matches every word in any order if all are long enough, otherwise the whole text; case and
 * diacritics do not matter. Text of fewer than three characters matches the beginning of a certificate
 * number.
 */
export function searchOf(typed: string): Search {
  const text = normalise(typed)
  const length = [...text].length
  if (length === 0) return { kind: 'all' }
  if (length < TRIGRAM) return { kind: 'prefix', ...rangeOf(text) }
  const expression = partsOf(typed).map(quoted).join(' AND ')
  return NUMBER_SHAPE.test(text)
    ? { kind: 'match', expression, number: rangeOf(text) }
    : { kind: 'match', expression }
}
