import { isCertificateNumber } from './certificate-number.ts'
import { suggestCertificateNumber } from './certificate-number-suggestion.ts'

/**
 * Numbers with up to this many separators are listed in every combination; others only with one kind of separator throughout.
 */
const MAX_MIXED_SEPARATORS = 4

/**
 * Returns the other ways to write a normalised number: the same parts with other separators, those with uniform separators
 * first, e.g. `UG-2019-90003` and `UG201990003` for `UG/2019/90003`. The caller checks which of them exist.
 */
export function otherForms(number: string): string[] {
  const parts = number.split(/[/-]/)
  const gaps = parts.length - 1
  if (gaps === 0 || !isCertificateNumber(number)) return []
  let mixed: string[] = []
  if (gaps <= MAX_MIXED_SEPARATORS) {
    const [firstPart = '', ...otherParts] = parts
    mixed = otherParts.reduce(
      (forms, part) => forms.flatMap(form => [`${form}/${part}`, `${form}-${part}`]),
      [firstPart],
    )
  }
  const forms = new Set([...['/', '-', ''].map(separator => parts.join(separator)), ...mixed])
  forms.delete(number)
  return [...forms]
}

/**
 * Returns the warning of a dry run about a new number that exists with other separators or is not in the standard form.
 * `onRecord` is the existing number, if any.
 */
export function separatorWarning(number: string, onRecord: string | undefined): string | undefined {
  if (onRecord !== undefined)
    return `On record as ${onRecord}, which differs only in its separators. This row would add a second certificate.`
  const standardForm = suggestCertificateNumber(number)
  return standardForm === undefined
    ? undefined
    : `Usually printed as ${standardForm}. Please compare it with the certificate: the number is imported as the file has it.`
}
