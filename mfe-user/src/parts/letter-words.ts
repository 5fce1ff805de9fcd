import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { formatShortDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'

/** Number and last time of checks by the letter's code; empty if there were none. */
export function checksInWords({ checks, last_checked_at: last }: HeldLetter): string {
  if (checks === 0 || last === null) return ''
  const times = checks === 1 ? 'once' : checks === 2 ? 'twice' : `${formatCount(checks)} times`
  return `Checked ${times}, last on ${formatShortDate(last)}.`
}

/** Why a letter is no longer valid; empty for a valid one. */
export function meaningOf({ status }: Pick<LetterLink, 'status'>): string {
  if (status === 'withdrawn') return 'The institution withdrew the certificate: do not rely on the letter.'
  if (status === 'superseded') return 'The record was corrected since: the letter is out of date.'
  return ''
}
