import type { LetterLink } from '@portal/contract/letter'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import { badgeAddress } from '../letters/badge-address.ts'
import { outcomeOf, specimenCertificate } from './numbers.ts'

/** The code of the specimen letter. */
export const SPECIMEN = 'SPECIMEN'

/** The link of the specimen letter. */
export const specimenLink = (publicUrl: string, status: LetterLink['status']): LetterLink => ({
  code: SPECIMEN,
  url: `${publicUrl}/letters/${SPECIMEN}`,
  pdf_url: `${publicUrl}/api/letters/${SPECIMEN}.pdf`,
  credential_url: `${publicUrl}/api/letters/${SPECIMEN}.jwt`,
  open_badge_url: badgeAddress(publicUrl, SPECIMEN),
  status,
})

interface TestVerification {
  certificateNumber: string
  result: string | null
  /** The time of its change; null once it has changed. */
  dueAt: number | null
}

/** The result of a verification in test mode; undefined if it was not verified. */
export function specimenOf(
  { certificateNumber, result, dueAt }: TestVerification,
  publicUrl: string,
): { certificate: VerifiedCertificate; letter: LetterLink } | undefined {
  if (result !== 'verified') return undefined
  const isWithdrawn = outcomeOf(certificateNumber).change === 'letter_withdrawn' && dueAt === null
  return {
    certificate: specimenCertificate(certificateNumber),
    letter: specimenLink(publicUrl, isWithdrawn ? 'withdrawn' : 'valid'),
  }
}
