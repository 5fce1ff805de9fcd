import type { HeldLetter, LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { buildLetter } from '@portal/letter/model'
import type { MockPayment, MockState } from './state.ts'

/** The letter of a paid success as it was issued; null for any other payment. */
export function templateOf(state: MockState, payment: MockPayment): VerificationTemplate | null {
  const holder = state.users.find(user => user.id === payment.user_id)
  if (!payment.certificate || !holder) return null
  return buildLetter({
    institution: demoInstitution,
    holder: { name: `${holder.firstname} ${holder.lastname}`, address: holder.address },
    certificate: payment.certificate,
    refNumber: `CV/${payment.initiated_at.slice(0, 4)}/${payment.letter_issued_at ? payment.letter_code : payment.payment_reference}`,
    issuedAt: new Date(payment.letter_issued_at ?? payment.settled_at ?? payment.initiated_at),
    signature: demoSignatory,
  })
}

/** A letter is withdrawn with its certificate, and superseded once the certificate was corrected. */
function standingOf(
  state: MockState,
  { certificate_number, certificate }: MockPayment,
): LetterLink['status'] {
  const current = state.certificates.find(each => each.certificate_number === certificate_number)
  if (!current) return 'withdrawn'
  const same =
    current.student_name === certificate?.student_name &&
    current.course === certificate.course &&
    current.grade === certificate.grade &&
    current.graduation_date === certificate.graduation_date
  return same ? 'valid' : 'superseded'
}

/** How the letter of a paid success can be checked; null where there is none. */
export function letterLinkOf(state: MockState, payment: MockPayment): LetterLink | null {
  const code = payment.letter_code
  if (!code) return null
  return {
    code,
    url: `${state.origin}/letters/${code}`,
    pdf_url: `${state.origin}/api/letters/${code}.pdf`,
    credential_url: `${state.origin}/api/letters/${code}.jwt`,
    status: standingOf(state, payment),
  }
}

/** The same for its holder, with how often it was checked. */
export function heldLetterOf(state: MockState, payment: MockPayment): HeldLetter | null {
  const link = letterLinkOf(state, payment)
  if (!link) return null
  return { ...link, checks: payment.letter_checks ?? 0, last_checked_at: payment.letter_checked_at ?? null }
}
