import type { VerificationTemplate } from '@portal/contract/letter'

/** Replaces the addressee of a letter whose account was erased. */
const erasedRecipient = { company: 'Addressee erased on request', address: [] }
const ERASED_NAME = 'the addressee'

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const WORD_CHARACTER = '[\\p{L}\\p{M}\\p{N}]'

/**
 * Returns a letter without its addressee, for an account that was erased. The account's names are replaced in the texts too,
 * but not where they are the graduate's name.
 * @param names names of the account, as written on its letters
 */
export function withoutAddressee(
  template: VerificationTemplate,
  names: readonly string[],
): VerificationTemplate {
  const { header, content } = template
  const { name, degree, class: grade, date } = content.certificate_details
  const withUppercase = (texts: readonly string[], isKept: boolean) =>
    texts
      .filter(text => text !== '')
      .flatMap(text => [text, text.toUpperCase()])
      .map(text => ({ text, isKept }))
  // Longer texts come first, so that they win over shorter ones at the same position. Of two equal texts, the one to keep comes
  // first.
  const knownTexts = [
    ...withUppercase([name, degree, grade, date, header.institution], true),
    ...withUppercase(names, false),
  ].sort((a, b) => b.text.length - a.text.length || Number(b.isKept) - Number(a.isKept))
  const pattern = new RegExp(
    `(?<!${WORD_CHARACTER})(?:${knownTexts.map(({ text }) => escapeRegExp(text)).join('|')})(?!${WORD_CHARACTER})`,
    'gu',
  )
  const replaceNames = (text: string) =>
    text.replace(pattern, found => {
      const match = knownTexts.find(({ text }) => text === found)
      if (match?.isKept !== false) return found
      return found === found.toUpperCase() ? ERASED_NAME.toUpperCase() : ERASED_NAME
    })
  return {
    ...template,
    recipient: erasedRecipient,
    subject: replaceNames(template.subject),
    content: {
      ...content,
      opening: replaceNames(content.opening),
      closing: replaceNames(content.closing),
      thanks: replaceNames(content.thanks),
    },
  }
}
