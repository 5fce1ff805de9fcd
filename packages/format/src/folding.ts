// Hooked and barred letters are letters of their own in Unicode, but nobody types them in a search.
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

/** Text as searches compare it: lower case, without diacritics. `Adébáyọ̀` and `ADEBAYO` are the same. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ɓɗđƙƴłøßæœ]/g, letter => PLAIN[letter] ?? letter)
}
