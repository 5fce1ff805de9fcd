import type { HeldLetter, LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { buildLetter } from '@portal/letter/model'
import { addressLine } from '@portal/rules/organisations'
import type { LetterContent, MockLetter, MockPayment, MockState } from './state.ts'

/** A letter with its payment. The current letter of a payment is the same object as the payment. */
export interface FoundLetter {
  payment: MockPayment
  letter: MockLetter
}

/** Returns the letter with this code, which may be superseded. */
export function findLetter(state: MockState, code: string): FoundLetter | undefined {
  for (const payment of state.payments) {
    const letters = [payment, ...(payment.former_letters ?? [])]
    const letter = letters.find(item => item.letter_code === code)
    if (letter) return { payment, letter }
  }
  return undefined
}

/** Returns the content of a letter that is issued now, except for its certificate. */
export function currentLetterContent(state: MockState, payment: MockPayment): LetterContent {
  const { institution, signature, texts } = state.settings
  return { institution, signature, texts, holder: holderOf(state, payment) }
}

function holderOf(state: MockState, payment: MockPayment) {
  const organisation = state.organisations?.find(item => item.id === payment.user_id)
  if (organisation) return { name: organisation.name, address: addressLine(organisation) }
  const { firstname, lastname, address } = state.users.find(user => user.id === payment.user_id) ?? {}
  return { name: [firstname, lastname].join(' '), address: address ?? '' }
}

/** Returns the letter of a successful verification as it was issued; null for any other payment. */
export function templateOf(
  state: MockState,
  payment: MockPayment,
  letter: MockLetter = payment,
): VerificationTemplate | null {
  if (!letter.certificate) return null
  const { holder, ...content } = letter.letter_texts ?? {
    institution: demoInstitution,
    signature: demoSignatory,
    holder: holderOf(state, payment),
  }
  return buildLetter({
    ...content,
    letterHolder: holder,
    certificate: letter.certificate,
    refNumber: `CV/${payment.initiated_at.slice(0, 4)}/${letter.letter_issued_at ? letter.letter_code : payment.payment_reference}`,
    issuedAt: new Date(letter.letter_issued_at ?? payment.ended_at ?? payment.initiated_at),
  })
}

/**
 * Returns a letter's status: withdrawn if the certificate was withdrawn, superseded if the certificate or the letter was
 * corrected.
 */
function statusOf(state: MockState, payment: MockPayment, letter: MockLetter): LetterLink['status'] {
  const { certificate } = letter
  const current = state.certificates.find(item => item.certificate_number === payment.certificate_number)
  if (!current) return 'withdrawn'
  if (letter !== payment) return 'superseded'
  const isUnchanged =
    current.student_name === certificate?.student_name &&
    current.course === certificate.course &&
    current.grade === certificate.grade &&
    current.graduation_date === certificate.graduation_date
  return isUnchanged ? 'valid' : 'superseded'
}

/** Returns the code, links and status of a letter; null if there is no letter. */
export function toLetterLink(
  state: MockState,
  payment: MockPayment,
  letter: MockLetter = payment,
): LetterLink | null {
  const code = letter.letter_code
  if (!code) return null
  return {
    code,
    url: `${state.origin}/letters/${code}`,
    pdf_url: `${state.origin}/api/letters/${code}.pdf`,
    credential_url: `${state.origin}/api/letters/${code}.jwt`,
    open_badge_url: `${state.origin}/api/letters/${code}.ob3`,
    status: statusOf(state, payment, letter),
  }
}

/** Like `toLetterLink`, for the letter holder, who also sees how often the letter was checked. */
export function holderLetterOf(state: MockState, payment: MockPayment): HeldLetter | null {
  const link = toLetterLink(state, payment)
  if (!link) return null
  return { ...link, checks: payment.letter_checks ?? 0, last_checked_at: payment.letter_checked_at ?? null }
}
