import { letterCode, type SpecimenCheck } from '@portal/contract/letter'
import { SPECIMEN } from '@portal/letter/code'
import { buildEvidencePdf } from '@portal/letter/evidence'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { buildSpecimenLink } from '../test-mode/specimen.ts'
import { readSpecimenTemplate, SPECIMEN_ISSUED_AT } from '../test-mode/template.ts'
import { iso } from '../wire.ts'

/*
 * The specimen: the letter that test mode uses. It is public, the same for everyone, marked as a specimen, not signed and not
 * stored.
 */

/** The specimen's code after the contract's normalisation, which replaces I with 1. */
const NORMALISED_CODE = letterCode().parse(SPECIMEN)

/** True for the code of the specimen. */
export const isSpecimen = (code: string): boolean => code === NORMALISED_CODE

type SpecimenCall = Pick<Call, 'db' | 'ports' | 'address'>

/** Returns the public check of the specimen. */
export async function checkSpecimen(call: SpecimenCall): Promise<SpecimenCheck> {
  await consume(call, 'letter_checks', call.address)
  const { db, ports } = call
  const template = await readSpecimenTemplate(db.read)
  const { pdf_url } = buildSpecimenLink(ports.environment.PUBLIC_URL, 'valid')
  return {
    status: 'specimen',
    status_since: iso(SPECIMEN_ISSUED_AT),
    code: SPECIMEN,
    ref_number: SPECIMEN,
    issued_at: iso(SPECIMEN_ISSUED_AT),
    date: template.header.date,
    institution: template.header.institution,
    recipient: template.recipient.company,
    certificate_number: 'TEST/2020/001',
    certificate_details: template.content.certificate_details,
    pdf_url,
    credential_url: null,
    open_badge_url: null,
    checks: 0,
    previous_check_at: null,
    checked_at: iso(ports.clock.now()),
  }
}

/** Returns the specimen as an unsigned PDF. */
export async function createSpecimenPdf(call: SpecimenCall): Promise<Uint8Array<ArrayBuffer>> {
  const template = await readSpecimenTemplate(call.db.read)
  const letter = buildSpecimenLink(call.ports.environment.PUBLIC_URL, 'valid')
  const images = { logo: null, signature: null, stamp: null }
  return await buildEvidencePdf({
    title: 'Specimen of a verification letter',
    institution: template.header.institution,
    sections: [],
    letters: [{ template, letter, images, watermark: SPECIMEN }],
    at: new Date(SPECIMEN_ISSUED_AT),
  })
}

/** Rejects the specimen in formats that make no sense without a signature. @throws Fault `NOT_FOUND` */
export function refuseSpecimen(code: string): void {
  if (isSpecimen(code))
    throw new Fault('NOT_FOUND', { message: 'The specimen is not signed, so it has no credential.' })
}
