import { buildLetter } from '@portal/letter/model'
import type { CertificateRow } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { newLetterCode, newRefNumber } from '../payments/ids.ts'
import type { Settings } from '../settings/rules.ts'
import { insertLetter } from './store.ts'

/** Issues the official letter for one fulfilled item and keeps it as issued. */
export async function issueLetter(
  db: Tx,
  {
    item,
    holder,
    certificate,
    settings,
    at,
  }: {
    item: { id: string; userId: string }
    holder: { firstname: string; lastname: string; address: string }
    certificate: CertificateRow
    settings: Pick<Settings, 'institution' | 'signature'>
    at: number
  },
): Promise<{ code: string; refNumber: string }> {
  const code = newLetterCode()
  const refNumber = newRefNumber(at)
  const template = buildLetter({
    institution: settings.institution,
    holder: { name: `${holder.firstname} ${holder.lastname}`, address: holder.address },
    certificate: {
      certificate_number: certificate.certificateNumber,
      student_name: certificate.studentName,
      course: certificate.course,
      grade: certificate.grade,
      graduation_date: certificate.graduationDate,
    },
    refNumber,
    issuedAt: new Date(at),
    signature: settings.signature,
  })
  await insertLetter(db, {
    code,
    refNumber,
    paymentItemId: item.id,
    userId: item.userId,
    certificateId: certificate.id,
    template,
    status: 'valid',
    issuedAt: at,
    statusAt: at,
  })
  return { code, refNumber }
}
