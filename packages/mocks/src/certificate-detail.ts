import type { CertificateDetail, IssuedLetter } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import { toIsoDate } from '@portal/format/dates'
import { Fault } from './fault.ts'
import { templateOf, toLetterLink } from './letter-status.ts'
import type { MockState } from './state.ts'

/** How long a deleted certificate can be restored. */
const RESTORABLE_MS = 90 * 86_400_000

/**
 * Returns the certificate with this ID.
 * @throws Fault `CERTIFICATE_NOT_FOUND` if it is not in the register
 */
export function certificateOrFail(state: MockState, id: string): Certificate {
  const certificate = state.certificates.find(item => item.id === id)
  if (!certificate) throw new Fault('CERTIFICATE_NOT_FOUND')
  return certificate
}

/**
 * Returns the certificate with this ID, which may also be deleted.
 * @throws Fault `CERTIFICATE_NOT_FOUND`
 */
export function currentOrDeletedOrFail(state: MockState, id: string): Certificate {
  const deletedEntry = state.deleted?.find(item => item.certificate.id === id)
  return deletedEntry?.certificate ?? certificateOrFail(state, id)
}

/** Returns the letters of a certificate, newest first, including superseded ones. */
export const issuedLettersOf = (state: MockState, number: string): IssuedLetter[] =>
  state.payments
    .filter(item => item.certificate?.certificate_number === number)
    .flatMap(payment => [payment, ...(payment.former_letters ?? [])].map(letter => ({ payment, letter })))
    .flatMap(({ payment, letter }): IssuedLetter[] => {
      const [template, link] = [templateOf(state, payment, letter), toLetterLink(state, payment, letter)]
      if (!template || !link) return []
      return [
        {
          code: link.code,
          ref_number: template.header.ref_number,
          issued_at: letter.letter_issued_at ?? payment.ended_at ?? payment.initiated_at,
          status: link.status,
          addressee: template.recipient.company,
          checks: letter.letter_checks ?? 0,
        },
      ]
    })
    .sort((a, b) => b.issued_at.localeCompare(a.issued_at))

/** Returns the additional fields of a deleted certificate. */
export function deletionOf(state: MockState, { id, certificate_number }: Certificate) {
  const deletedEntry = state.deleted?.find(item => item.certificate.id === id)
  if (!deletedEntry) return { deleted_at: null, deleted_by: null, purge_on: null }
  const { deleted_at, deleted_by } = deletedEntry
  const hasLetters = issuedLettersOf(state, certificate_number).length > 0
  return {
    deleted_at,
    deleted_by,
    purge_on: hasLetters ? null : toIsoDate(Date.parse(deleted_at) + RESTORABLE_MS),
  }
}

/** Returns a certificate with its details. */
export function certificateDetail(state: MockState, certificate: Certificate): CertificateDetail {
  const deletion = deletionOf(state, certificate)
  return { ...certificate, state: deletion.deleted_at === null ? 'current' : 'deleted', ...deletion }
}
