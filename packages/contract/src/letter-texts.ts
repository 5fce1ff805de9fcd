/*
 * The editable texts of a letter, with placeholders for what differs from letter to letter. A placeholder in capitals, such as
 * `{STUDENT}`, prints its value in capitals.
 */

/** Available placeholders, with the descriptions that the settings screen shows. */
export const letterPlaceholders = {
  holder: 'Who asked for the verification',
  number: 'The certificate number',
  student: 'The graduate’s name',
  institution: 'The institution’s name',
  course: 'The degree or course',
  grade: 'The class of degree',
  date: 'The date of graduation',
} as const

export type LetterPlaceholder = keyof typeof letterPlaceholders

/** The texts of a letter must contain each of these. */
export const requiredPlaceholders = ['number', 'student'] as const satisfies readonly LetterPlaceholder[]

export interface LetterTexts {
  subject: string
  opening: string
  closing: string
  thanks: string
}

export const defaultLetterTexts: LetterTexts = {
  subject: 'VERIFICATION OF CERTIFICATE: {STUDENT} ({number})',
  opening:
    'We refer to the request made by {holder} for the verification of certificate number {number}. ' +
    'The academic records of {institution} have been examined, and we confirm that the certificate was ' +
    'awarded by this institution with the following particulars:',
  closing:
    'The particulars above are those in our records on the date of this letter. The letter is issued for the use of ' +
    'the addressee and is not valid if altered. Whether it is still valid can be checked at any time with the code ' +
    'printed below.',
  thanks: 'Thank you for your enquiry.',
}

const PLACEHOLDER = /\{([^{}]*)\}/g

/** Returns the placeholder with this name, and whether its value prints in capitals; undefined if it is unknown. */
export function parsePlaceholder(
  name: string,
): { placeholder: LetterPlaceholder; capitals: boolean } | undefined {
  const placeholder = name.toLowerCase()
  if (!Object.hasOwn(letterPlaceholders, placeholder)) return undefined
  const capitals = name !== placeholder && name === name.toUpperCase()
  return name === placeholder || capitals
    ? { placeholder: placeholder as LetterPlaceholder, capitals }
    : undefined
}

/** Returns an error message about the braces in a text; undefined if they are valid. */
export function placeholderProblem(text: string): string | undefined {
  for (const [whole, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (!parsePlaceholder(name)) {
      const knownPlaceholders = Object.keys(letterPlaceholders).map(placeholder => `{${placeholder}}`)
      return `${whole} is not a known placeholder. Please use ${knownPlaceholders.slice(0, -1).join(', ')} or ${knownPlaceholders.at(-1)}.`
    }
  }
  return /[{}]/.test(text.replace(PLACEHOLDER, ''))
    ? 'A brace is not closed or not opened. Write placeholders like this: {number}.'
    : undefined
}

/** Returns the placeholders that the texts contain. */
export function placeholdersIn(texts: readonly string[]): Set<LetterPlaceholder> {
  const names = texts.flatMap(text =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => parsePlaceholder(name)?.placeholder),
  )
  return new Set(names.filter(placeholder => placeholder !== undefined))
}

/** Fills in the placeholders in one pass, so that braces in a value are kept. */
export function fillPlaceholders(text: string, values: Record<LetterPlaceholder, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const found = parsePlaceholder(name)
    if (!found) return whole
    const value = values[found.placeholder]
    return found.capitals ? value.toUpperCase() : value
  })
}
