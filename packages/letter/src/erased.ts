import type { VerificationTemplate } from '@portal/contract/letter'

/** Replaces the addressee of a letter whose account was erased. */
const erasedRecipient = { company: 'Addressee erased on request', address: [] }
const ERASED_NAME = 'the addressee'

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const LETTER = '[\\p{L}\\p{M}\\p{N}]'

/**
 * Returns a letter without its addressee. Names in the text are replaced too, except the graduate's, who may have the
 * same name.
 * @param names names of the account, as written on its letters
 */
export function withoutHolder(
  template: VerificationTemplate,
  names: readonly string[],
): VerificationTemplate {
  const { header, content } = template
  const { name, degree, class: grade, date } = content.certificate_details
  const both = (texts: readonly string[], stays: boolean) =>
    texts
      .filter(text => text !== '')
      .flatMap(text => [text, text.toUpperCase()])
      .map(text => ({ text, stays }))
  // Of two matches at the same place, the longer one wins; of equal ones, the one that is kept.
  const known = [...both([name, degree, grade, date, header.institution], true), ...both(names, false)].sort(
    (one, other) => other.text.length - one.text.length || Number(other.stays) - Number(one.stays),
  )
  const any = new RegExp(
    `(?<!${LETTER})(?:${known.map(({ text }) => escaped(text)).join('|')})(?!${LETTER})`,
    'gu',
  )
  const withoutName = (words: string) =>
    words.replace(any, found => {
      const match = known.find(({ text }) => text === found)
      if (match?.stays !== false) return found
      return found === found.toUpperCase() ? ERASED_NAME.toUpperCase() : ERASED_NAME
    })
  return {
    ...template,
    recipient: erasedRecipient,
    subject: withoutName(template.subject),
    content: {
      ...content,
      opening: withoutName(content.opening),
      closing: withoutName(content.closing),
      thanks: withoutName(content.thanks),
    },
  }
}
