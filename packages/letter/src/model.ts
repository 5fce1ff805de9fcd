import type { VerificationTemplate } from '@portal/contract/letter'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import { formatLongDate } from '@portal/format/dates'
import { splitAddress } from './recipient.ts'

/** What a verification letter is made from. */
export interface LetterInput {
  institution: {
    name: string
    /** One line, parts separated by commas. */
    address: string
    /** Address of an image; null prints the default emblem. */
    logo: string | null
  }
  /** The account that paid for the verification. */
  holder: { name: string; address: string }
  certificate: Pick<
    VerifiedCertificate,
    'certificate_number' | 'student_name' | 'course' | 'grade' | 'graduation_date'
  >
  refNumber: string
  issuedAt: Date
  /** Who signs. Without images the letter has a signature line and a stamp's place. */
  signature: VerificationTemplate['signature']
}

/** `2019-07-31` as `July 31, 2019`; what a record says in other words ("July 2019") stays as it is. */
const recordDate = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatLongDate(value, 'UTC') : value

const tidy = (value: string) => value.trim().replace(/\s+/g, ' ')

/**
 * The official letter as data: what the page, the print and the PDF all show. The letter is kept as issued, so its
 * words never change afterwards.
 */
export function buildLetter(input: LetterInput): VerificationTemplate {
  const { institution, holder, certificate, signature } = input
  const number = certificate.certificate_number
  const student = tidy(certificate.student_name)
  return {
    header: {
      institution: institution.name,
      address: institution.address,
      ref_number: input.refNumber,
      date: formatLongDate(input.issuedAt, 'UTC'),
    },
    recipient: splitAddress(holder.address, tidy(holder.name)),
    subject: `VERIFICATION OF CERTIFICATE: ${student.toUpperCase()} (${number})`,
    content: {
      opening:
        `We refer to the request made by ${tidy(holder.name)} for the verification of certificate number ${number}. ` +
        `The academic records of ${institution.name} have been examined, and we confirm that the certificate was ` +
        'awarded by this institution with the following particulars:',
      certificate_details: {
        sn: '1',
        name: student,
        degree: tidy(certificate.course),
        class: tidy(certificate.grade),
        date: recordDate(certificate.graduation_date),
      },
      closing:
        'The particulars above are as they stand in our records on the date of this letter. The letter is issued for ' +
        'the use of the addressee and is not valid if altered; whether it still stands can be confirmed at any time ' +
        'with the code printed below.',
      thanks: 'Thank you for your enquiry.',
    },
    signature,
    assets: { logo: institution.logo },
  }
}
