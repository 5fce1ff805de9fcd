import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { formatShortDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'

/** States how often and when the letter was last checked by its code; empty if it was never checked. */
export function checksInWords({ checks, last_checked_at: last }: HeldLetter): string {
  if (checks === 0 || last === null) return ''
  const times = checks === 1 ? 'once' : checks === 2 ? 'twice' : `${formatCount(checks)} times`
  return `Checked ${times}, last on ${formatShortDate(last)}.`
}

/** Explains why a letter is no longer valid; empty if it is valid. */
export function meaningOf({ status }: Pick<LetterLink, 'status'>): string {
  if (status === 'withdrawn')
    return 'The institution has withdrawn the certificate. Do not rely on this letter.'
  if (status === 'superseded') return 'The certificate has been corrected. This letter is out of date.'
  return ''
}
