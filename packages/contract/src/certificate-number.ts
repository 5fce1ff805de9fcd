const CERTIFICATE_WITH_PREFIX = /^(?:UG|PG|CCED|HND)\/(?:[A-Z0-9-]+\/)*[A-Z0-9-]*\d{3,}$/
const CERTIFICATE_GENERAL = /^[A-Z0-9/-]{5,}$/

/**
 * True for what section 5 accepts as a certificate number; expects it normalised. In a file without zod, because the
 * landing page needs it before anything else.
 */
export function isCertificateNumber(value: string): boolean {
  return CERTIFICATE_WITH_PREFIX.test(value) || CERTIFICATE_GENERAL.test(value)
}

/** Longest certificate number, in characters. */
export const CERTIFICATE_NUMBER_MAX = 100
/** A longer text is no number with a few odd characters, and is left as it is. */
const LONGEST_TYPED = 500

/** Already in its form, as nearly all numbers of a file are. */
const NORMALISED = /^[A-Z0-9-]+(?:\/[A-Z0-9-]+)*$/
/** Zero-width, bidi and soft-hyphen characters, variation selectors: what takes no place on the screen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Blanks that `\s` does not know. */
const OTHER_BLANKS = /[\u0085\u2800]/g
/** Full-width and mathematical letters and digits. NFKC on all text would also read a footnote's ² as a digit. */
const WIDE_OR_STYLED = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2043\u2212\u2500\u2796]/gu
const SLASHES = /[\\\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\ufe68]/g
const QUOTES = '\'"`´‘’‚‛“”„‟«»‹›′″'
const LEADING = new RegExp(`^[\\s${QUOTES}]+`)
const TRAILING = new RegExp(`[\\s.,;。、${QUOTES}]+$`)
/** `UG/2019/00123 / PG/2020/00001` is two numbers, not one. */
const NEXT_NUMBER = /\d(?:\s+\/|\/\s)\s*(?:UG|PG|CCED|HND)\b/

/** Upper case for A to Z alone: `ß` would become two letters, and a dotless i another one. */
export const upperCaseNumber = (text: string): string =>
  /[a-z]/.test(text) ? text.replace(/[a-z]+/g, letters => letters.toUpperCase()) : text

/** More than one full stop means that something was left out, so the text before it is not the whole number. */
const withoutEnding = (text: string) =>
  text.replace(TRAILING, ending => (ending.split('.').length > 2 ? ending.trimEnd() : ''))

/**
 * Reads a certificate number as people type and paste it: without invisible characters, surrounding blanks and quotes,
 * blanks around slashes and a full stop, comma or semicolon at the end; with plain slashes, dashes, digits and capitals.
 * Never joins what a blank parts inside a number: `suggestCertificateNumber` offers that. Idempotent.
 */
export function normaliseCertificateNumber(typed: string): string {
  if (NORMALISED.test(typed) || typed.length > LONGEST_TYPED) return typed
  const plain = typed
    .replace(INVISIBLE, '')
    .replace(OTHER_BLANKS, ' ')
    .replace(WIDE_OR_STYLED, character => character.normalize('NFKC'))
    .replace(DASHES, '-')
    .replace(SLASHES, '/')
  const text = withoutEnding(upperCaseNumber(plain).replace(LEADING, ''))
  if (NEXT_NUMBER.test(text)) return text
  const segments = text.split('/').map(segment => segment.trim())
  return segments.join('/').replace(/\/{2,}/g, '/')
}

/** What a person searches for: normalised where it reads as a number or part of one, else only trimmed. */
export function normaliseSearch(typed: string): string {
  const text = typed.replace(INVISIBLE, '').trim()
  const number = normaliseCertificateNumber(text)
  return /^[A-Z0-9/-]*$/.test(number) && /\d/.test(number) && /[/-]/.test(number) ? number : text
}
