import type { letterHolder as routes } from '@portal/contract/letter-holder'
import { letterMessages } from '@portal/rules/messages'
import { Fault } from './fault.ts'
import { newLetterCode } from './ids.ts'
import { currentLetterContent, findLetter, toLetterLink } from './letter-status.ts'
import type { HandlersOf } from './serve.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

/**
 * Returns the payment of the caller's letter, by its current or an earlier code.
 * @throws Fault `NOT_FOUND` if the letter is not the caller's
 */
export function ownLetterOrFail(state: MockState, user: MockUser, code: string): MockPayment {
  const found = findLetter(state, code)
  if (found?.payment.user_id !== user.id)
    throw new Fault('NOT_FOUND', undefined, 'You have no letter with this code.')
  return found.payment
}

export const letterHolder: HandlersOf<typeof routes> = {
  reissue({ params, user, state, now }) {
    const payment = ownLetterOrFail(state, user, params.code)
    const link = toLetterLink(state, payment)
    if (!link) throw new Error('A letter was found by a code that it does not have.')
    if (link.status === 'withdrawn') throw new Fault('LETTER_WITHDRAWN')
    if (link.status === 'valid') return { message: letterMessages.unchanged, letter: link }
    const currentCertificate = state.certificates.find(
      item => item.certificate_number === payment.certificate_number,
    )
    const { letter_texts, certificate, letter_code, letter_checks, letter_checked_at, letter_issued_at } =
      payment
    const { letter_status_at = now.toISOString() } = payment
    const former = { letter_checks, letter_checked_at, letter_issued_at, letter_status_at }
    Object.assign(payment, {
      former_letters: [
        ...(payment.former_letters ?? []),
        { letter_texts, certificate, letter_code, ...former },
      ],
      certificate: currentCertificate ?? certificate,
      letter_texts: currentLetterContent(state, payment),
      letter_code: newLetterCode(),
      letter_issued_at: now.toISOString(),
      letter_status_at: undefined,
      letter_checks: 0,
      letter_checked_at: undefined,
    })
    return {
      message: letterMessages.corrected,
      letter: toLetterLink(state, payment) ?? link,
    }
  },
}
