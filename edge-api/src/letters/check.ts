import { type LetterCheck, verificationTemplate } from '@portal/contract/letter'
import type { Call } from '../serve.ts'
import { letterLinkOf, statusSince } from './rules.ts'
import type { FoundLetter } from './store.ts'

const iso = (at: number) => new Date(at).toISOString()

/** What anyone may know of a letter. */
export async function checkOf({ ports }: Pick<Call, 'ports'>, found: FoundLetter): Promise<LetterCheck> {
  const { letter, certificateNumber } = found
  const template = verificationTemplate.parse(letter.template)
  const { status, pdf_url, credential_url } = letterLinkOf(found, ports.environment.PUBLIC_URL)
  return {
    status,
    status_since: iso(statusSince(found)),
    code: letter.code,
    ref_number: letter.refNumber,
    issued_at: iso(letter.issuedAt),
    institution: template.header.institution,
    recipient: template.recipient.company,
    certificate_number: certificateNumber,
    certificate_details: template.content.certificate_details,
    pdf_url,
    credential_url,
    checks: 1,
    previous_check_at: null,
    checked_at: iso(ports.clock.now()),
  }
}
