import { certificateFields } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import type * as z from 'zod'

/** The form's values are what its inputs hold; the contract's body turns them into what is sent. */
export const certificateSchema = certificateFields
export type CertificateForm = z.input<typeof certificateFields>
export type CertificateBody = z.output<typeof certificateFields>

/** The values a form starts with: blank for a new certificate, else as stored. */
export function formValues(certificate?: Certificate): CertificateForm {
  return {
    certificate_number: certificate?.certificate_number ?? '',
    student_name: certificate?.student_name ?? '',
    matric_number: certificate?.matric_number ?? '',
    course: certificate?.course ?? '',
    department: certificate?.department ?? '',
    grade: certificate?.grade ?? '',
    graduation_date: certificate?.graduation_date ?? '',
  }
}
