import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { verifiedCertificate } from '@portal/contract/shapes'
import { isoOrNull } from '../wire.ts'
import { badgeAddress } from './badge-address.ts'
import type { LetterStatusData, LetterWithCertificate } from './store.ts'

const collapseWhitespace = (value: string) => value.trim().replace(/\s+/g, ' ')

/** True if the letter's content differs from the register. Only fields that the letter shows are compared. */
function differsFromRegister({ letter, certificate }: LetterStatusData): boolean {
  if (!certificate) return true
  const printedCertificate = verifiedCertificate.safeParse(letter.snapshot).data
  // A letter without a snapshot cannot be compared, so any later change of the certificate counts.
  if (!printedCertificate) return certificate.updatedAt > letter.issuedAt
  const pairs = [
    [printedCertificate.certificate_number, certificate.certificateNumber],
    [printedCertificate.student_name, certificate.studentName],
    [printedCertificate.course, certificate.course],
    [printedCertificate.grade, certificate.grade],
    [printedCertificate.graduation_date, certificate.graduationDate],
  ] as const
  return pairs.some(
    ([printed, current]) =>
      printed !== current && collapseWhitespace(printed) !== collapseWhitespace(current),
  )
}

/**
 * Returns the status of a letter. It is withdrawn if its payment or certificate is; it is superseded by a newer letter, or
 * while the certificate differs from it. The status is derived on each request, so that no change of the register can be
 * missed.
 */
export function letterStatus(current: LetterStatusData): LetterLink['status'] {
  const { letter, certificate } = current
  if (letter.status === 'withdrawn' || !certificate || certificate.deletedAt !== null) return 'withdrawn'
  if (letter.status === 'superseded' || differsFromRegister(current)) return 'superseded'
  return 'valid'
}

/** Returns when a letter got its current status, in milliseconds since 1970. */
export function statusSince(current: LetterStatusData): number {
  const { letter, certificate } = current
  const status = letterStatus(current)
  if (status === 'valid') return letter.issuedAt
  if (letter.statusAt > letter.issuedAt) return letter.statusAt
  return (status === 'withdrawn' ? certificate?.deletedAt : certificate?.updatedAt) ?? letter.statusAt
}

/** Returns what a payment's status and the history show of a letter. `url` is the public page with the letter's status. */
export function toLetterLink(current: LetterStatusData, publicUrl: string): LetterLink {
  const { code } = current.letter
  return {
    code,
    url: `${publicUrl}/letters/${code}`,
    pdf_url: `${publicUrl}/api/letters/${code}.pdf`,
    credential_url: `${publicUrl}/api/letters/${code}.jwt`,
    open_badge_url: badgeAddress(publicUrl, code),
    status: letterStatus(current),
  }
}

/** Returns a letter's links as its holder sees them, with the number of checks and the time of the last one. */
export function toLetterWithChecks(current: LetterWithCertificate, publicUrl: string): HeldLetter {
  const { checks, lastCheckedAt } = current.letter
  return {
    ...toLetterLink(current, publicUrl),
    checks,
    last_checked_at: isoOrNull(lastCheckedAt),
  }
}
