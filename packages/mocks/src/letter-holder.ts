import type { letterHolder as routes } from '@portal/contract/letter-holder'
import { Fault } from './fault.ts'
import { newLetterCode } from './ids.ts'
import { ownPayments } from './payments-of.ts'
import type { HandlersOf } from './serve.ts'
import { letterLinkOf } from './standing-letter.ts'

export const NOT_HELD = 'You hold no letter with this code.'

export const letterHolder: HandlersOf<typeof routes> = {
  reissue({ params, user, state, now }) {
    const payment = ownPayments(state, user).find(each => each.letter_code === params.code)
    const standing = payment && letterLinkOf(state, payment)
    if (!standing) throw new Fault('NOT_FOUND', undefined, NOT_HELD)
    if (standing.status === 'withdrawn') throw new Fault('LETTER_WITHDRAWN')
    if (standing.status === 'valid')
      return { message: 'Your letter stands as it was issued.', letter: standing }
    const record = state.certificates.find(each => each.certificate_number === payment.certificate_number)
    Object.assign(payment, {
      certificate: record ?? payment.certificate,
      letter_code: newLetterCode(),
      letter_issued_at: now.toISOString(),
      letter_status_at: undefined,
      letter_checks: 0,
      letter_checked_at: undefined,
    })
    return {
      message: 'The corrected letter was issued. It takes the place of the former one.',
      letter: letterLinkOf(state, payment) ?? standing,
    }
  },
}
