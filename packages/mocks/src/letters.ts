import type { LetterCheck, letters as routes } from '@portal/contract/letter'
import { Fault } from './fault.ts'
import type { HandlersOf } from './serve.ts'
import { letterLinkOf, templateOf } from './standing-letter.ts'
import type { MockState } from './state.ts'

export const NO_SUCH_LETTER = 'No letter has this code. Please compare it with the printed one.'

/** What anyone may know of the letter with this code; each look counts. @throws Fault `NOT_FOUND` */
export function checkLetter(state: MockState, code: string, now: Date): LetterCheck {
  const payment = state.payments.find(each => each.letter_code === code)
  const letter = payment && templateOf(state, payment)
  const link = payment && letterLinkOf(state, payment)
  if (!letter || !link) throw new Fault('NOT_FOUND', undefined, NO_SUCH_LETTER)
  const issued = payment.letter_issued_at ?? payment.settled_at ?? payment.initiated_at
  const previous = payment.letter_checked_at ?? null
  payment.letter_checks = (payment.letter_checks ?? 0) + 1
  payment.letter_checked_at = now.toISOString()
  return {
    status: link.status,
    status_since: link.status === 'valid' ? issued : (payment.letter_status_at ?? issued),
    code: link.code,
    ref_number: letter.header.ref_number,
    issued_at: issued,
    institution: letter.header.institution,
    recipient: letter.recipient.company,
    certificate_number: payment.certificate_number,
    certificate_details: letter.content.certificate_details,
    pdf_url: link.pdf_url,
    credential_url: link.credential_url,
    checks: payment.letter_checks,
    previous_check_at: previous,
    checked_at: now.toISOString(),
  }
}

export const letters: HandlersOf<typeof routes> = {
  check: ({ params, state, now }) => checkLetter(state, params.code, now),
}
