import type { VerificationTemplate } from '@portal/contract/letter'
import { defaultLetterTexts, fillPlaces, type LetterTexts } from '@portal/contract/letter-texts'
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
  /** The institution's own words; the default ones where it has none. */
  texts?: LetterTexts | undefined
}

/** `2019-07-31` as `July 31, 2019`; what a record says in other words ("July 2019") stays as it is. */
const recordDate = (value: string) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatLongDate(value) : value)

const tidy = (value: string) => value.trim().replace(/\s+/g, ' ')

/**
 * The official letter as data: what the page, the print and the PDF all show. The letter is kept as issued, so its
 * words never change afterwards.
 */
export function buildLetter(input: LetterInput): VerificationTemplate {
  const { institution, holder, certificate, signature, texts = defaultLetterTexts } = input
  const details = {
    sn: '1',
    name: tidy(certificate.student_name),
    degree: tidy(certificate.course),
    class: tidy(certificate.grade),
    date: recordDate(certificate.graduation_date),
  }
  const fill = (text: string) =>
    fillPlaces(text, {
      holder: tidy(holder.name),
      number: certificate.certificate_number,
      student: details.name,
      institution: institution.name,
      course: details.degree,
      grade: details.class,
      date: details.date,
    })
  return {
    header: {
      institution: institution.name,
      address: institution.address,
      ref_number: input.refNumber,
      date: formatLongDate(input.issuedAt),
    },
    recipient: splitAddress(holder.address, tidy(holder.name)),
    subject: fill(texts.subject),
    content: {
      opening: fill(texts.opening),
      certificate_details: details,
      closing: fill(texts.closing),
      thanks: fill(texts.thanks),
    },
    signature,
    assets: { logo: institution.logo },
  }
}
