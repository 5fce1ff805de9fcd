import type { VerificationTemplate } from '@portal/contract/letter'
import { defaultLetterTexts, fillPlaceholders, type LetterTexts } from '@portal/contract/letter-texts'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import { formatLongDate } from '@portal/format/dates'
import { splitAddress } from './recipient.ts'

/** What a verification letter is built from. */
export interface LetterInput {
  institution: {
    name: string
    /** The address on one line, with its parts separated by commas. */
    address: string
    /** URL of the logo; null for the default emblem. */
    logo: string | null
  }
  /** The account that paid for the verification, to which the letter is addressed. */
  letterHolder: { name: string; address: string }
  certificate: Pick<
    VerifiedCertificate,
    'certificate_number' | 'student_name' | 'course' | 'grade' | 'graduation_date'
  >
  refNumber: string
  issuedAt: Date
  /** The signatory. Without images, the letter shows a line for the signature and a placeholder for the stamp. */
  signature: VerificationTemplate['signature']
  /** The institution's texts; undefined for the default ones. */
  texts?: LetterTexts | undefined
}

/** Formats `2019-07-31` as `July 31, 2019`; any other text, such as "July 2019", is unchanged. */
const recordDate = (value: string) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatLongDate(value) : value)

const collapseWhitespace = (value: string) => value.trim().replace(/\s+/g, ' ')

/**
 * Builds the letter as data, from which the page, the printout and the PDF are drawn. It is stored when the letter is issued,
 * so later changes of the input do not affect it.
 */
export function buildLetter(input: LetterInput): VerificationTemplate {
  const { institution, letterHolder, certificate, signature, texts = defaultLetterTexts } = input
  const details = {
    sn: '1',
    name: collapseWhitespace(certificate.student_name),
    degree: collapseWhitespace(certificate.course),
    class: collapseWhitespace(certificate.grade),
    date: recordDate(certificate.graduation_date),
  }
  const fill = (text: string) =>
    fillPlaceholders(text, {
      holder: collapseWhitespace(letterHolder.name),
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
    recipient: splitAddress(letterHolder.address, collapseWhitespace(letterHolder.name)),
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
