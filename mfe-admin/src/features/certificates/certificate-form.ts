import { certificateFields } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import type * as z from 'zod'

/** Form values are strings; the contract's body schema converts them for the request. */
export const certificateSchema = certificateFields
export type CertificateForm = z.input<typeof certificateFields>
export type CertificateBody = z.output<typeof certificateFields> & { reason?: string }

/** Returns the initial form values: blank for a new certificate, otherwise the stored values. */
export function toFormValues(certificate?: Certificate): CertificateForm {
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
