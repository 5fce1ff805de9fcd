// Hooked and barred letters have no decomposition in Unicode, but users rarely type them in a search.
const PLAIN: Readonly<Record<string, string>> = {
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

/** Normalises text for searches: lowercase, without diacritics. `Adébáyọ̀` and `ADEBAYO` are equal. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ɓɗđƙƴłøßæœ]/g, letter => PLAIN[letter] ?? letter)
}
