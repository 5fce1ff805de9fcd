import { buildLetter } from '@portal/letter/model'
import type { CertificateRow } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { newLetterCode, newRefNumber } from '../payments/ids.ts'
import type { Settings } from '../settings/rules.ts'
import { insertLetters } from './store.ts'

/** Issues the official letters for fulfilled items of one payment, and keeps them as issued. */
export async function issueLetters(
  db: Tx,
  {
    items,
    holder,
    settings,
    at,
  }: {
    items: readonly { id: string; userId: string; certificate: CertificateRow }[]
    holder: { firstname: string; lastname: string; address: string }
    settings: Pick<Settings, 'institution' | 'signature'>
    at: number
  },
): Promise<void> {
  const rows = items.map(({ id, userId, certificate }) => {
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
    return {
      code: newLetterCode(),
      refNumber,
      paymentItemId: id,
      userId,
      certificateId: certificate.id,
      template,
      status: 'valid' as const,
      issuedAt: at,
      statusAt: at,
    }
  })
  await insertLetters(db, rows)
}
