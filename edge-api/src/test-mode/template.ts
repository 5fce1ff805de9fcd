import type { VerificationTemplate } from '@portal/contract/letter'
import { SPECIMEN } from '@portal/letter/code'
import { buildLetter } from '@portal/letter/model'
import type { Reader } from '../db/database.ts'
import { readSettings } from '../settings/store.ts'
import { buildSpecimenCertificate } from './numbers.ts'

/** The date of issue of the specimen letter, which never changes. */
export const SPECIMEN_ISSUED_AT = Date.parse('2020-08-03T09:00:00Z')

/** Returns the content of the specimen letter, with the institution’s letterhead and texts. */
export async function readSpecimenTemplate(db: Reader): Promise<VerificationTemplate> {
  const { institution, letter_texts } = await readSettings(db)
  return buildLetter({
    institution: { name: institution.name, address: institution.address, logo: null },
    letterHolder: {
      name: 'Specimen Organisation',
      address: 'Specimen Organisation, 1 Test Street, Lagos, Nigeria',
    },
    certificate: buildSpecimenCertificate('TEST/2020/001'),
    refNumber: SPECIMEN,
    issuedAt: new Date(SPECIMEN_ISSUED_AT),
    signature: {
      name: 'Specimen, not signed',
      title: 'Test mode of the API',
      for: '',
      email: '',
      signature_image: null,
      stamp_image: null,
    },
    texts: letter_texts,
  })
}
