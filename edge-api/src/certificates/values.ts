import type { Certificate } from '@portal/contract/shapes'
import { displayEmail } from '../erased.ts'
import type { RecordValues } from '../history/fields.ts'
import { iso } from '../wire.ts'
import type { CertificateFields, StoredCertificate } from './store.ts'

/** Returns the fields of a certificate under the names used in its history. */
export const valuesOf = (row: CertificateFields) =>
  ({
    certificate_number: row.certificateNumber,
    student_name: row.studentName,
    matric_number: row.matricNumber,
    course: row.course,
    graduation_date: row.graduationDate,
    grade: row.grade,
    department: row.department,
  }) satisfies RecordValues

/** Converts a certificate to the form in which staff see it. */
export const certificateOf = (row: StoredCertificate): Certificate => ({
  id: row.id,
  ...valuesOf(row),
  uploader_email: displayEmail(row.uploaderEmail),
  uploaded_at: iso(row.uploadedAt),
  updated_at: iso(row.updatedAt),
  version: row.version,
})
