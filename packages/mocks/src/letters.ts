import type { letters as routes } from '@portal/contract/letter'
import { Fault } from './fault.ts'
import type { HandlersOf } from './serve.ts'
import { letterLinkOf, templateOf } from './standing-letter.ts'

export const letters: HandlersOf<typeof routes> = {
  check({ params, state, now }) {
    const payment = state.payments.find(each => each.letter_code === params.code)
    const letter = payment && templateOf(state, payment)
    const link = payment && letterLinkOf(state, payment)
    if (!letter || !link) throw new Fault('NOT_FOUND')
    return {
      status: link.status,
      code: link.code,
      ref_number: letter.header.ref_number,
      issued_at: payment.settled_at ?? payment.initiated_at,
      institution: letter.header.institution,
      recipient: letter.recipient.company,
      certificate_number: payment.certificate_number,
      certificate_details: letter.content.certificate_details,
      checked_at: now.toISOString(),
    }
  },
}
