// Letters with hooks and strokes, which have no decomposition in Unicode, although users rarely type them in a search.
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ɓ: 'b',
  ɗ: 'd',
  đ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}
const ASCII = /^[\x20-\x7e\n]*$/

/** Folds text for searches: lowercase and without diacritics, so that `Adébáyọ̀` and `ADEBAYO` are equal. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ɓɗđƙƴłøßæœ]/g, letter => PLAIN_LETTERS[letter] ?? letter)
}
