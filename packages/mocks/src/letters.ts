import type { LetterCheck, letters as routes } from '@portal/contract/letter'
import { letterMessages } from '@portal/rules/messages'
import { Fault } from './fault.ts'
import { findLetter, templateOf, toLetterLink } from './letter-status.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

export const NO_SUCH_LETTER = letterMessages.unknownCode

/**
 * Returns what the public sees of a letter, and counts the check.
 * @throws Fault `NOT_FOUND`
 */
export function checkLetter(state: MockState, code: string, now: Date): LetterCheck {
  const found = findLetter(state, code)
  const template = found && templateOf(state, found.payment, found.letter)
  const link = found && toLetterLink(state, found.payment, found.letter)
  if (!template || !link) throw new Fault('NOT_FOUND', undefined, NO_SUCH_LETTER)
  const { payment, letter } = found
  const issuedAt = letter.letter_issued_at ?? payment.ended_at ?? payment.initiated_at
  const previous = letter.letter_checked_at ?? null
  letter.letter_checks = (letter.letter_checks ?? 0) + 1
  letter.letter_checked_at = now.toISOString()
  return {
    status: link.status,
    status_since: link.status === 'valid' ? issuedAt : (letter.letter_status_at ?? issuedAt),
    code: link.code,
    ref_number: template.header.ref_number,
    issued_at: issuedAt,
    date: template.header.date,
    institution: template.header.institution,
    recipient: template.recipient.company,
    certificate_number: payment.certificate_number,
    certificate_details: template.content.certificate_details,
    pdf_url: link.pdf_url,
    credential_url: link.credential_url,
    open_badge_url: link.open_badge_url,
    checks: letter.letter_checks,
    previous_check_at: previous,
    checked_at: now.toISOString(),
  }
}

export const letters: HandlersOf<typeof routes> = {
  check: ({ params, state, now }) => checkLetter(state, params.code, now),
}
