const CERTIFICATE_WITH_PREFIX = /^(?:UG|PG|CCED|HND)\/(?:[A-Z0-9-]+\/)*[A-Z0-9-]*\d{3,}$/
const CERTIFICATE_GENERAL = /^[A-Z0-9/-]{5,}$/

/**
 * True for a valid certificate number (specification, section 5). Expects a normalised number. Does not use zod, because it is
 * part of the landing page's first load.
 */
export function isCertificateNumber(value: string): boolean {
  return CERTIFICATE_WITH_PREFIX.test(value) || CERTIFICATE_GENERAL.test(value)
}

/** Maximum length of a certificate number. */
export const CERTIFICATE_NUMBER_MAX = 100
/** Longer text is not a number and is left unchanged. */
const MAX_TYPED_LENGTH = 500

/** Matches numbers that are already normalised, as nearly all numbers in a file are. */
const NORMALISED = /^[A-Z0-9-]+(?:\/[A-Z0-9-]+)*$/
/** Invisible characters: zero-width, bidi and soft-hyphen characters, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Spaces that `\s` does not match. */
const OTHER_BLANKS = /[\u0085\u2800]/g
/**
 * Full-width and mathematical letters and digits. NFKC is applied only to these, because on the whole text it would also turn
 * the ² of a footnote into a digit.
 */
const WIDE_OR_STYLED = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2043\u2212\u2500\u2796]/gu
const SLASHES = /[\\\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\ufe68]/g
const QUOTES = '\'"`´‘’‚‛“”„‟«»‹›′″'
const LEADING = new RegExp(`^[\\s${QUOTES}]+`)
const TRAILING = new RegExp(`[\\s.,;。、${QUOTES}]+$`)
/** Matches text with two numbers, such as `UG/2019/00123 / PG/2020/00001`. */
const TWO_NUMBERS = /\d(?:\s+\/|\/\s)\s*(?:UG|PG|CCED|HND)\b/

/** Converts only a to z to capitals, because `ß` would become two letters, and a dotless i a different letter. */
export const upperCaseNumber = (text: string): string =>
  /[a-z]/.test(text) ? text.replace(/[a-z]+/g, letters => letters.toUpperCase()) : text

/** Removes trailing punctuation but keeps an ellipsis of full stops, which means that the number is incomplete. */
const removeTrailingPunctuation = (text: string) =>
  text.replace(TRAILING, ending => (ending.split('.').length > 2 ? ending.trimEnd() : ''))

/**
 * Normalises a typed or pasted certificate number: removes invisible characters, surrounding spaces and quotes, spaces around
 * slashes, and trailing punctuation; converts slashes, dashes, digits and letters to plain ones, in capitals. Unlike
 * `suggestCertificateNumber`, it never joins parts separated by a space. Idempotent.
 */
export function normaliseCertificateNumber(typed: string): string {
  if (NORMALISED.test(typed) || typed.length > MAX_TYPED_LENGTH) return typed
  const plain = typed
    .replace(INVISIBLE, '')
    .replace(OTHER_BLANKS, ' ')
    .replace(WIDE_OR_STYLED, character => character.normalize('NFKC'))
    .replace(DASHES, '-')
    .replace(SLASHES, '/')
  const text = removeTrailingPunctuation(upperCaseNumber(plain).replace(LEADING, ''))
  if (TWO_NUMBERS.test(text)) return text
  const segments = text.split('/').map(segment => segment.trim())
  return segments.join('/').replace(/\/{2,}/g, '/')
}

/** Normalises a search term that looks like a certificate number or part of one; only trims any other. */
export function normaliseSearch(typed: string): string {
  const text = typed.replace(INVISIBLE, '').trim()
  const number = normaliseCertificateNumber(text)
  return /^[A-Z0-9/-]*$/.test(number) && /\d/.test(number) && /[/-]/.test(number) ? number : text
}
