import { certificateFields } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import type * as z from 'zod'

/** Form values are strings; the contract's body schema converts them for the request. */
export const certificateSchema = certificateFields
export type CertificateForm = z.input<typeof certificateFields>
export type CertificateBody = z.output<typeof certificateFields> & { reason?: string }

/** Labels of the fields, in the order of the form. */
export const fieldLabels: Record<keyof CertificateForm, string> = {
  certificate_number: 'Certificate number',
  matric_number: 'Matric number',
  student_name: 'Student name',
  course: 'Course',
  department: 'Department',
  grade: 'Grade',
  graduation_date: 'Graduation date',
}

/** Initial form values: blank for a new certificate, otherwise the stored values. */
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
