import type { letters as routes } from '@portal/contract/letter'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { buildLetter } from '@portal/letter/model'
import { Fault } from './fault.ts'
import type { HandlersOf } from './serve.ts'
import { refNumberOf } from './verification.ts'

export const letters: HandlersOf<typeof routes> = {
  check({ params, state, now }) {
    const payment = state.payments.find(each => each.letter_code === params.code)
    const holder = state.users.find(user => user.id === payment?.user_id)
    if (!payment?.certificate || !holder) throw new Fault('NOT_FOUND')
    const issued_at = payment.settled_at ?? payment.initiated_at
    const letter = buildLetter({
      institution: demoInstitution,
      holder: { name: `${holder.firstname} ${holder.lastname}`, address: holder.address },
      certificate: payment.certificate,
      refNumber: refNumberOf(payment),
      issuedAt: new Date(issued_at),
      signature: demoSignatory,
    })
    return {
      status: 'valid',
      code: params.code,
      ref_number: letter.header.ref_number,
      issued_at,
      institution: letter.header.institution,
      recipient: letter.recipient.company,
      certificate_number: payment.certificate_number,
      certificate_details: letter.content.certificate_details,
      checked_at: now.toISOString(),
    }
  },
}
