import type { OrganisationLetter } from '@portal/contract/organisation-shapes'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import { SPECIMEN } from '@portal/letter/code'
import { buildSpecimenCertificate, outcomeOf } from './numbers.ts'

/** Returns a link to the specimen letter with a simulated status, only in formats that need no signature. */
export const buildSpecimenLink = (
  publicUrl: string,
  status: OrganisationLetter['status'],
): OrganisationLetter => ({
  code: SPECIMEN,
  url: `${publicUrl}/letters/${SPECIMEN}`,
  pdf_url: `${publicUrl}/api/letters/${SPECIMEN}.pdf`,
  credential_url: null,
  open_badge_url: null,
  status,
})

interface TestVerification {
  certificateNumber: string
  result: string | null
  /** The time of the verification's scheduled change; null once it has changed. */
  dueAt: number | null
}

/** Returns the result of a verification in test mode; undefined if it was not verified. */
export function buildSpecimen(
  { certificateNumber, result, dueAt }: TestVerification,
  publicUrl: string,
): { certificate: VerifiedCertificate; letter: OrganisationLetter } | undefined {
  if (result !== 'verified') return undefined
  const isWithdrawn = outcomeOf(certificateNumber).change === 'letter_withdrawn' && dueAt === null
  return {
    certificate: buildSpecimenCertificate(certificateNumber),
    letter: buildSpecimenLink(publicUrl, isWithdrawn ? 'withdrawn' : 'valid'),
  }
}
