import { LOCALE } from './locale.ts'

// Created on first use, because it is rarely needed and creating the first one takes about 15 ms.
let segmenter: Intl.Segmenter | undefined
function splitGraphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(LOCALE, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), part => part.segment)
}

/** Truncates text to `length` letters and adds an ellipsis. It counts graphemes, so that vowels keep their tone marks. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const graphemes = splitGraphemes(text)
  return graphemes.length <= length ? text : `${graphemes.slice(0, length).join('').trimEnd()}…`
}

/**
 * Returns up to two initials in uppercase: `AỌ` for `Adébáyọ̀ Ọláṣẹ́ńí`. Skips small words such as `of` in an institution's
 * name.
 */
export function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter(word => /\p{L}|\p{N}/u.test(word))
  const significant = words.filter(word => !/^(of|the|and|for|de|la)$/i.test(word))
  const chosen = significant.length > 0 ? significant : words
  const first = chosen[0]
  const last = chosen.length > 1 ? chosen.at(-1) : undefined
  // Keep tone marks, but skip leading quotation marks and brackets.
  const initial = (word = '') => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? ''
  return [first, last].map(word => initial(word).toUpperCase()).join('')
}

/** Returns the name of a registering organisation: the part of its address before the first comma. */
export function companyName(address: string): string {
  return (address.split(',', 1)[0] ?? '').trim()
}

/** Joins the first, middle and last name with spaces; any of them may be missing. */
export function fullName(person: {
  firstname: string
  middlename?: string | null
  lastname: string
}): string {
  return [person.firstname, person.middlename, person.lastname].filter(part => part?.trim()).join(' ')
}
