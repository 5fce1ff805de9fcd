import { type letters, verificationTemplate } from '@portal/contract/letter'
import { Fault } from '../fault.ts'
import { consume, requireAllowance } from '../limits/limiter.ts'
import type { HandlersOf } from '../serve.ts'
import { letterStatus } from './rules.ts'
import { findLetter } from './store.ts'

const iso = (at: number) => new Date(at).toISOString()

export const letterHandlers: HandlersOf<typeof letters> = {
  check: async call => {
    const { params, db, ports, address } = call
    await requireAllowance(call, 'letter_misses', address)
    const found = await findLetter(db.read, { code: params.code })
    if (!found) {
      await consume(call, 'letter_misses', address)
      throw new Fault('NOT_FOUND', {
        message: 'No letter has this code. Please compare it with the printed one.',
      })
    }
    const template = verificationTemplate.parse(found.letter.template)
    return {
      status: letterStatus(found),
      code: found.letter.code,
      ref_number: found.letter.refNumber,
      issued_at: iso(found.letter.issuedAt),
      institution: template.header.institution,
      recipient: template.recipient.company,
      certificate_number: found.certificateNumber,
      certificate_details: template.content.certificate_details,
      checked_at: iso(ports.clock.now()),
    }
  },
}
