import type { LetterLink } from '@portal/contract/letter'
import type { StandingLetter } from './store.ts'

/**
 * Whether a letter still stands: withdrawn by hand or with its certificate, superseded once the certificate was
 * changed after the letter was issued.
 */
export function letterStatus({ letter, certificate }: StandingLetter): LetterLink['status'] {
  if (letter.status === 'withdrawn' || !certificate || certificate.withdrawnAt !== null) return 'withdrawn'
  if (letter.status === 'superseded' || certificate.updatedAt > letter.issuedAt) return 'superseded'
  return 'valid'
}

/** Since when a letter has the status that it has, in milliseconds. */
export function statusSince(standing: StandingLetter): number {
  const { letter, certificate } = standing
  const status = letterStatus(standing)
  if (status === 'valid') return letter.issuedAt
  if (letter.status === status) return letter.statusAt
  return (status === 'withdrawn' ? certificate?.withdrawnAt : certificate?.updatedAt) ?? letter.statusAt
}

/** What a status check and a history row say of a letter. `url` is the public page that says whether it stands. */
export function letterLinkOf(standing: StandingLetter, publicUrl: string): LetterLink {
  const { code } = standing.letter
  return {
    code,
    url: `${publicUrl}/letters/${code}`,
    pdf_url: `${publicUrl}/api/letters/${code}.pdf`,
    credential_url: `${publicUrl}/api/letters/${code}.jwt`,
    status: letterStatus(standing),
  }
}
