import { isCertificateNumber } from './certificate-number.ts'
import { suggestCertificateNumber } from './certificate-number-suggestion.ts'

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

/**
 * What a dry run warns about a number that is not on record: it is there with other separators, or is usually printed
 * otherwise. `onRecord` is the number on record.
 */
export function separatorWarning(number: string, onRecord: string | undefined): string | undefined {
  if (onRecord !== undefined)
    return `On record as ${onRecord}, which differs only in its separators. This row would add a second certificate.`
  const printed = suggestCertificateNumber(number)
  return printed === undefined
    ? undefined
    : `Usually printed as ${printed}. Please compare it with the certificate: the number is imported as the file has it.`
}
