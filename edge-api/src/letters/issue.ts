import { buildLetter } from '@portal/letter/model'
import type { Tx } from '../db/database.ts'
import type { CertificateRow } from '../db/schema/certificates.ts'
import { newLetterCode, newRefNumber } from '../ids.ts'
import type { Settings } from '../settings/rules.ts'
import { toSnapshot } from './snapshot.ts'
import { insertLetters } from './store.ts'

/** The subject of a letter: an item of a payment, and its certificate. */
interface LetterItem {
  id: string
  userId: string
  certificate: CertificateRow
}
interface LetterHolder {
  firstname: string
  lastname: string
  address: string
}
type LetterSettings = Pick<Settings, 'institution' | 'signature' | 'letter_texts'>

/** Issues the official letters for the fulfilled items of one payment, and stores them. */
export async function issueLetters(
  db: Tx,
  {
    items,
    holder,
    settings,
    at,
  }: {
    items: readonly LetterItem[]
    holder: LetterHolder
    settings: LetterSettings
    at: number
  },
): Promise<void> {
  await insertLetters(
    db,
    items.map(item => newLetter({ item, holder, settings, at })),
  )
}

/** Creates a letter from a certificate's current data, without storing it. */
export function newLetter({
  item: { id, userId, certificate },
  holder,
  settings,
  at,
}: {
  item: LetterItem
  holder: LetterHolder
  settings: LetterSettings
  at: number
}) {
  const refNumber = newRefNumber(at)
  const holderName = `${holder.firstname} ${holder.lastname}`
  const template = buildLetter({
    institution: settings.institution,
    letterHolder: { name: holderName, address: holder.address },
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
    texts: settings.letter_texts,
  })
  return {
    code: newLetterCode(),
    refNumber,
    paymentItemId: id,
    userId,
    holderName,
    certificateId: certificate.id,
    template,
    snapshot: toSnapshot(certificate),
    status: 'valid' as const,
    issuedAt: at,
    statusAt: at,
  }
}
