import { type VerifiedCertificate, verifiedCertificate } from '@portal/contract/shapes'
import type { CertificateRow } from '../db/schema/certificates.ts'

/** Returns the certificate as delivered, so that a reprint does not depend on the register. */
export const toSnapshot = (row: CertificateRow): VerifiedCertificate =>
  verifiedCertificate.parse({
    certificate_number: row.certificateNumber,
    student_name: row.studentName,
    course: row.course,
    graduation_date: row.graduationDate,
    grade: row.grade,
    department: row.department,
  })
