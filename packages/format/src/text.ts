// Made when a text is too long: few are, and the first one of a visit takes a browser some 15 ms.
let segments: Intl.Segmenter | undefined
function letters(text: string): string[] {
  segments ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segments.segment(text), part => part.segment)
}

/** At most `length` letters, then an ellipsis. Counts letters as read, so that a tone mark stays with its vowel. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const all = letters(text)
  return all.length <= length ? text : `${all.slice(0, length).join('').trimEnd()}…`
}

/** Up to two initials, upper case: `Adébáyọ̀ Ọláṣẹ́ńí` is `AỌ`; an institution's small words are passed over. */
export function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter(word => /\p{L}|\p{N}/u.test(word))
  const telling = words.filter(word => !/^(of|the|and|for|de|la)$/i.test(word))
  const chosen = telling.length > 0 ? telling : words
  const first = chosen[0]
  const last = chosen.length > 1 ? chosen.at(-1) : undefined
  // With its tone marks; a quotation mark or bracket before a name is no initial.
  const initial = (word = '') => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? ''
  return [first, last].map(word => initial(word).toUpperCase()).join('')
}

/** The name of a registering organisation: what stands before the first comma of its address. */
export function companyName(address: string): string {
  return (address.split(',', 1)[0] ?? '').trim()
}

/** First and last name with one space, whatever is missing. */
export function fullName(person: {
  firstname: string
  middlename?: string | null
  lastname: string
}): string {
  return [person.firstname, person.middlename, person.lastname].filter(part => part?.trim()).join(' ')
}
