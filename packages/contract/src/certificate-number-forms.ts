import { isCertificateNumber } from './certificate-number.ts'

/** Up to so many separators, every combination is a form; beyond, only the uniform ones. */
const MOST_MIXED = 4

/**
 * The other ways to write a normalised certificate number: the same parts with other separators between them, uniform ones
 * first. `UG-2019-90003` and `UG201990003` for `UG/2019/90003`. Which of them is on record is for the caller to look up.
 */
export function otherForms(number: string): string[] {
  const parts = number.split(/[/-]/)
  const gaps = parts.length - 1
  if (gaps === 0 || !isCertificateNumber(number)) return []
  let mixed: string[] = []
  if (gaps <= MOST_MIXED) {
    const [first = '', ...rest] = parts
    mixed = rest.reduce((made, part) => made.flatMap(each => [`${each}/${part}`, `${each}-${part}`]), [first])
  }
  const forms = new Set([...['/', '-', ''].map(separator => parts.join(separator)), ...mixed])
  forms.delete(number)
  return [...forms]
}

/** The separators of a number alone: `/` for `UG/2019/00123`, `-` for `UG-2019-00123`, `/-` for both, or none. */
export const separatorsOf = (number: string): string =>
  ['/', '-'].filter(separator => number.includes(separator)).join('')
