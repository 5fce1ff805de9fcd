import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { changesReply, reason } from './history.ts'
import { registerFilters, registerSort } from './register-filters.ts'
import { route } from './route.ts'
import { certificate, idParam, pageQuery, pagination, timestamp } from './shapes.ts'

/** The seven fields that staff enter. */
export const certificateFields = z.object({
  certificate_number: field.certificateNumber(),
  student_name: field.nameText('Student name'),
  matric_number: field.optionalPrintedText('Matric number', 100),
  course: field.printedText('Course'),
  graduation_date: field.graduationDate(),
  grade: field.printedText('Grade', 100),
  department: field.printedText('Department'),
})

/** The fields of a certificate and the reason for the change, which is stored in the history. */
const certificateInput = certificateFields.extend({ reason: reason() })

const certificateReply = { message: z.string(), certificate }

/** A certificate with its details. */
export const certificateDetail = certificate.extend({
  state: z.enum(['current', 'deleted']),
  /** When it was deleted; this and the next two fields are null while the certificate is in the register. */
  deleted_at: timestamp.nullable(),
  deleted_by: z.string().nullable(),
  /** The day on which it is permanently removed, `YYYY-MM-DD`; null for a certificate with letters, which is never removed. */
  purge_on: z.string().nullable(),
})
export type CertificateDetail = z.infer<typeof certificateDetail>

/** A certificate as a row of the list. */
export const certificateRow = certificate.extend({
  letters: z.int().describe('Letters that a change of the certificate affects.'),
  ...certificateDetail.pick({ deleted_at: true, deleted_by: true, purge_on: true }).partial().shape,
})

/** The values of a filter, each with the number of certificates that have it. */
const facet = z.array(z.object({ value: z.string(), count: z.int() }))

export const letterStatuses = ['valid', 'withdrawn', 'superseded'] as const

/** A letter of a certificate, as shown to staff. */
export const issuedLetter = z.object({
  code: z.string(),
  ref_number: z.string(),
  issued_at: timestamp,
  status: z.enum(letterStatuses),
  /** The organisation or person to whom the letter is addressed. */
  addressee: z.string(),
  /** How often its public page was viewed. */
  checks: z.int(),
})
export type IssuedLetter = z.infer<typeof issuedLetter>

export const adminCertificates = {
  list: route({
    method: 'GET',
    path: '/admin/certificates',
    access: 'admin',
    summary:
      'Certificates, newest first; searches number, name, course, and the beginning of matric numbers. Filters are combined ' +
      'with AND. As a file: the columns of the template first.',
    query: z.object({ ...registerFilters, sort: registerSort, ...pageQuery(20) }),
    reply: z.object({ certificates: z.array(certificateRow), pagination }),
    csv: {
      title: 'Certificates',
      file: 'certificates',
      columns: [
        'certificate_number',
        'student_name',
        'matric_number',
        'course',
        'graduation_date',
        'grade',
        'department',
        'id',
        'uploader_email',
        'uploaded_at',
        'updated_at',
        'version',
      ],
    },
  }),
  facets: route({
    method: 'GET',
    path: '/admin/certificates/facets',
    access: 'admin',
    summary:
      'Departments, courses and grades of the register with their counts, most frequent first, at most 500 of each; up to 10 minutes old.',
    reply: z.object({ departments: facet, courses: facet, grades: facet, refreshed_at: timestamp }),
  }),
  create: route({
    method: 'POST',
    path: '/admin/certificates',
    access: 'admin',
    summary: 'Add one certificate.',
    body: certificateInput,
    reply: z.object(certificateReply),
    record: 'certificate',
    status: 201,
    refusals: ['CERTIFICATE_EXISTS'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/certificates/{id}',
    access: 'admin',
    summary: 'Correct a certificate.',
    params: idParam,
    body: certificateInput,
    reply: z.object(certificateReply),
    ifMatch: true,
    record: 'certificate',
    refusals: ['CERTIFICATE_EXISTS'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/certificates/{id}',
    access: 'admin',
    summary: 'Delete a certificate; one with letters is withdrawn and keeps its history.',
    params: idParam,
    query: z.object({ reason: reason() }),
    reply: z.object({ message: z.string() }),
    ifMatch: true,
  }),
  restore: route({
    method: 'POST',
    path: '/admin/certificates/{id}/restore',
    access: 'admin',
    summary:
      'Restore a certificate that was deleted within the last 90 days, or withdrawn, unless its number is in use again. ' +
      'The body, with a `reason`, is optional.',
    params: idParam,
    body: z.object({ reason: reason() }).optional(),
    reply: z.object(certificateReply),
    ifMatch: true,
    record: 'certificate',
    refusals: ['CERTIFICATE_EXISTS'],
  }),
  read: route({
    method: 'GET',
    path: '/admin/certificates/{id}',
    access: 'admin',
    summary:
      'One certificate, with its upload, its letters and how often it was verified; deleted ones until purged.',
    params: idParam,
    reply: z.object({
      certificate: certificateDetail,
      /** The upload that added the certificate; null if it was entered manually or before uploads were recorded. */
      upload: z
        .object({ id: z.string(), filename: z.string(), uploader_email: z.string(), created_at: timestamp })
        .nullable(),
      letters: z.object({ valid: z.int(), withdrawn: z.int(), superseded: z.int() }),
      verifications: z
        .int()
        .describe(
          'Paid verifications of its number. `GET /admin/authentications` also lists attempts that were not paid.',
        ),
    }),
    record: 'certificate',
  }),
  history: route({
    method: 'GET',
    path: '/admin/certificates/{id}/history',
    access: 'admin',
    summary: 'Every known change to a certificate, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: changesReply,
  }),
  letters: route({
    method: 'GET',
    path: '/admin/certificates/{id}/letters',
    access: 'admin',
    summary: 'Letters of a certificate, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ letters: z.array(issuedLetter), pagination }),
  }),
}
