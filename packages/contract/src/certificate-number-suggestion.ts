import {
  CERTIFICATE_NUMBER_MAX,
  isCertificateNumber,
  normaliseCertificateNumber,
} from './certificate-number.ts'

/** The standard form on certificates: prefix, faculty or year, and serial number, separated by slashes. */
const STANDARD_FORM = /^(?:UG|PG|CCED|HND)(?:\/[A-Z]+)*(?:\/(?:(?:19|20)\d\d|\d\d))?(?:\/[A-Z]+)*\/\d{3,}$/
const YEAR = /^(?:19|20)\d\d$/
/** If the year is between slashes, a dash does not separate parts: `UG/2019/CSC-001`. */
const YEAR_IN_SLASHES = /\/(?:19|20)\d\d\//

/** Cyrillic and Greek capitals. The Latin capital that each looks like is at the same position in `LATIN`. */
const LOOKALIKES = 'АВЕЅІЈКМНОРСТУХԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
const LATIN = 'ABESIJKMHOPCTYXGABEZHIKMNOPTYX'
const toLatin = (text: string) =>
  text.replace(/[\u0370-\u052f]/g, letter => LATIN[LOOKALIKES.indexOf(letter)] ?? letter)

/** Returns the digits meant by a part such as `2O19` or `l23`; undefined if it has other letters or no digit at all. */
function digitsOf(part: string): string | undefined {
  if (!/^[0-9OIL]*\d[0-9OIL]*$/.test(part)) return undefined
  return part.replaceAll('O', '0').replace(/[IL]/g, '1')
}

interface Part {
  text: string
  /** True if only spaces separate it from the previous part. */
  afterBlank: boolean
}

/** Splits a number into its prefix and the other parts; a repeated prefix is dropped. */
function splitNumber(text: string, allowsWordsBefore: boolean): [prefix: string, ...Part[]] | undefined {
  const word = YEAR_IN_SLASHES.test(text) ? /[A-Z0-9]+(?:-[A-Z0-9]+)*/g : /[A-Z0-9]+/g
  const parts: Part[] = []
  let prefix = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(word)) {
    const afterBlank = /^\s+$/.test(text.slice(end, index))
    end = index + found.length
    if (prefix === '') {
      const [, , first = '', rest = ''] = /^((UG|PG|CCED|HND)\2*)(.*)$/.exec(found) ?? []
      if (first !== '' && (rest === '' || digitsOf(rest))) {
        prefix = first
        if (rest !== '') parts.push({ text: rest, afterBlank: false })
      } else if (!allowsWordsBefore) return undefined
    } else if (found !== prefix || parts.length > 0) parts.push({ text: found, afterBlank })
  }
  return prefix === '' ? undefined : [prefix, ...parts]
}

/** Corrects letters to digits in the year and the serial number, and separates or joins parts so that each is one part. */
function correctParts(parts: readonly Part[]): string[] {
  const result: string[] = []
  parts.forEach(({ text, afterBlank }, index) => {
    const isLast = index === parts.length - 1
    const digits =
      digitsOf(text) ?? (isLast && /^[OIL]{3,}$/.test(text) ? digitsOf(`0${text}`)?.slice(1) : undefined)
    const previous = result.at(-1) ?? ''
    const hasYear = result.some(part => YEAR.test(part))
    if (digits && afterBlank && hasYear && /^\d+$/.test(previous) && !YEAR.test(previous))
      result[result.length - 1] = previous + digits
    else if (digits && isLast && !hasYear && /^(?:19|20)\d{5,}$/.test(digits))
      result.push(digits.slice(0, 4), digits.slice(4))
    else result.push(digits && (isLast || YEAR.test(digits)) ? digits : text)
  })
  return result
}

/**
 * Suggests the certificate number that was probably meant: `UG/2019/00123` for `UG-2019-00123`, `UG 2019 00123`, `UG201900123`,
 * `UG/2O19/OO123` or `UG/UG/2019/00123`. It considers only how the input is written, so it does not reveal which certificates
 * exist. Returns undefined if it has nothing to suggest.
 */
export function suggestCertificateNumber(typed: string): string | undefined {
  const number = normaliseCertificateNumber(typed)
  // An ellipsis means that the number is incomplete.
  if (number.length > CERTIFICATE_NUMBER_MAX || /\.\.|…/.test(number)) return undefined
  // A plausible number must begin with the prefix; in other text, words may come before the number.
  const allowsWordsBefore = !isCertificateNumber(number)
  const [prefix, ...parts] = splitNumber(toLatin(number.toUpperCase()), allowsWordsBefore) ?? []
  if (prefix === undefined) return undefined
  while (
    allowsWordsBefore &&
    /^[A-Z]+$/.test(parts.at(-1)?.text ?? '') &&
    !/^[OIL]{3,}$/.test(parts.at(-1)?.text ?? '')
  )
    parts.pop()
  const suggestion = [prefix, ...correctParts(parts)].join('/')
  return suggestion !== number && STANDARD_FORM.test(suggestion) ? suggestion : undefined
}
