import type { Certificate } from '@portal/contract/shapes'
import { counted } from '@portal/format/counted'

/** A certificate in the list, with the number of its letters that are still valid. */
export type CertificateWithLetters = Certificate & { letters?: number }

/** Describes what deleting a certificate does. */
export function describeDeletion({ letters }: Pick<CertificateWithLetters, 'letters'>): string {
  if (letters === undefined)
    return 'People will no longer be able to verify it, and letters issued for it will be withdrawn.'
  if (letters === 0) return 'People will no longer be able to verify it. It has no valid letters.'
  const holders = letters === 1 ? 'holder' : 'holders'
  return `People will no longer be able to verify it. ${counted(letters, 'letter')} issued for it will be withdrawn, and the letter ${holders} will be notified by email.`
}

/** Describes what editing a certificate does; empty if it has no letters. */
export function describeEdit({ letters = 0 }: Pick<CertificateWithLetters, 'letters'>): string {
  if (letters === 0) return ''
  const [verb, pronoun, holders] =
    letters === 1 ? ['was', 'it', 'the letter holder is'] : ['were', 'them', 'the letter holders are']
  return (
    `${counted(letters, 'letter')} ${verb} issued for this certificate. Changing the number, name, course, grade or graduation date ` +
    `makes ${pronoun} out of date, and ${holders} notified by email.`
  )
}
