import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { formatShortDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'

/** How often a letter was checked by its code, and when last; empty as long as nobody did. */
export function checksInWords({ checks, last_checked_at: last }: HeldLetter): string {
  if (checks === 0 || last === null) return ''
  const times = checks === 1 ? 'once' : checks === 2 ? 'twice' : `${formatCount(checks)} times`
  return `Checked ${times}, last on ${formatShortDate(last)}.`
}

/** What it means that a letter no longer stands; empty for one that does. */
export function meaningOf({ status }: Pick<LetterLink, 'status'>): string {
  if (status === 'withdrawn') return 'The institution withdrew the certificate: do not rely on the letter.'
  if (status === 'superseded') return 'The record was corrected since: the letter is out of date.'
  return ''
}
