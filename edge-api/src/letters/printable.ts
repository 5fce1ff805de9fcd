import type { VerificationTemplate } from '@portal/contract/letter'
import { letterTextProblem } from '@portal/contract/printable-text'
import { unprintableNotice } from '@portal/format/notices'
import type { Tx } from '../db/database.ts'
import type { CertificateRow } from '../db/schema/certificates.ts'
import { Fault } from '../fault.ts'
import { recordLogEntry } from '../logs/store.ts'
import { linkToCertificate, linkToSettings } from '../notifications/links.ts'
import { notifyStaffOnce } from '../notifications/store.ts'
import type { Settings } from '../settings/rules.ts'

/*
 * Finds text that cannot be printed on a letter. Validation rejects such text, but older rows and manual changes of the
 * database may contain it. A letter with such text is neither charged for nor signed.
 */

/** The reason why a letter cannot be printed, and whose data contains the text. */
export interface LetterProblem {
  source: 'certificate' | 'requester' | 'institution'
  reason: string
}

type LabelledValues = readonly (readonly [label: string, value: string])[]

const findFirstProblem = (texts: LabelledValues): string | undefined => {
  for (const [label, value] of texts) {
    const reason = letterTextProblem(label, value)
    if (reason !== undefined) return reason
  }
  return undefined
}

/**
 * Returns the first reason why a letter about this certificate cannot be printed for this requester, or undefined if there is
 * none.
 */
export function findLetterProblem({
  certificate,
  holder,
  settings: { institution, signature, letter_texts },
}: {
  certificate?: Pick<CertificateRow, 'studentName' | 'course' | 'grade' | 'graduationDate'> | undefined
  holder: { firstname: string; lastname: string; address: string }
  settings: Pick<Settings, 'institution' | 'signature' | 'letter_texts'>
}): LetterProblem | undefined {
  const valuesBySource: Record<LetterProblem['source'], LabelledValues> = {
    certificate: certificate
      ? [
          ['Student name', certificate.studentName],
          ['Course', certificate.course],
          ['Grade', certificate.grade],
          ['Graduation date', certificate.graduationDate],
        ]
      : [],
    requester: [
      ['First name', holder.firstname],
      ['Last name', holder.lastname],
      ['Address', holder.address],
    ],
    institution: [
      ['Institution name', institution.name],
      ['Address', institution.address],
      ['Signatory name', signature.name],
      ['Signatory title', signature.title],
      ['Signs for', signature.for],
      ['Email', signature.email],
      ['Subject', letter_texts.subject],
      ['Opening', letter_texts.opening],
      ['Closing', letter_texts.closing],
      ['Thanks', letter_texts.thanks],
    ],
  }
  for (const source of ['institution', 'requester', 'certificate'] as const) {
    const reason = findFirstProblem(valuesBySource[source])
    if (reason !== undefined) return { source, reason }
  }
  return undefined
}

/** Returns the first reason why a letter with this content cannot be printed, or undefined if there is none. */
export function findTemplateProblem({
  header,
  recipient,
  subject,
  content,
  signature,
}: VerificationTemplate) {
  const { certificate_details: details, opening, closing, thanks } = content
  return findFirstProblem([
    ['Institution name', header.institution],
    ['Address', header.address],
    ['Addressee', [recipient.company, ...recipient.address].join('\n')],
    ['Subject', subject],
    ['Opening', opening],
    ['Student name', details.name],
    ['Course', details.degree],
    ['Grade', details.class],
    ['Graduation date', details.date],
    ['Closing', closing],
    ['Thanks', thanks],
    ['Signatory name', signature.name],
    ['Signatory title', signature.title],
    ['Signs for', signature.for],
    ['Email', signature.email],
  ])
}

/**
 * Returns the error to throw before a payment. Requesters can correct their own profile; all other problems are reported to
 * staff.
 */
export function toUnprintableFault({ source, reason }: LetterProblem): Fault {
  if (source !== 'requester') return new Fault('LETTER_NOT_PRINTABLE')
  return new Fault('LETTER_NOT_PRINTABLE', {
    message: `${reason}. Please correct it in your profile: it is printed on the letter. You have not been charged.`,
  })
}

/**
 * Notifies staff, in the portal and in the log, why a letter could not be created. They are not notified again until they have
 * read the notification.
 */
export async function notifyUnprintable(
  db: Tx,
  { number, problem: { source, reason }, at }: { number: string; problem: LetterProblem; at: number },
): Promise<void> {
  if (source === 'requester') return
  const [subject, link] =
    source === 'certificate' ? [number, linkToCertificate(number)] : ['Letter settings', linkToSettings]
  const wasNotified = await notifyStaffOnce(db, { ...unprintableNotice(subject, reason), link, at })
  if (!wasNotified) return
  const details = `${subject}: ${reason}`
  await recordLogEntry(db, {
    userId: null,
    userEmail: null,
    activity: 'Letter could not be printed',
    details,
    at,
  })
}
