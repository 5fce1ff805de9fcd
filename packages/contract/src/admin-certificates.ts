import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { certificate, idParam, pageQuery, pagination } from './shapes.ts'

/** The seven fields of a certificate that staff enter. */
export const certificateFields = z.object({
  certificate_number: field.certificateNumber(),
  student_name: field.nameText('Student name'),
  matric_number: field.optionalPrintedText('Matric number', 100),
  course: field.printedText('Course'),
  graduation_date: field.graduationDate(),
  grade: field.printedText('Grade', 100),
  department: field.printedText('Department'),
})

export const adminCertificates = {
  list: route({
    method: 'GET',
    path: '/admin/certificates',
    access: 'admin',
    summary: 'Certificates, newest first; searches number, name and course.',
    query: z.object({ search: field.searchText().default(''), ...pageQuery(20) }),
    reply: z.object({
      certificates: z.array(
        certificate.extend({ letters: z.int().describe('Letters issued for it that a change concerns.') }),
      ),
      pagination,
    }),
  }),
  create: route({
    method: 'POST',
    path: '/admin/certificates',
    access: 'admin',
    summary: 'Add one certificate.',
    body: certificateFields,
    reply: z.object({ message: z.string(), certificate }),
    status: 201,
    refusals: ['CERTIFICATE_EXISTS'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/certificates/{id}',
    access: 'admin',
    summary: 'Correct a certificate.',
    params: idParam,
    body: certificateFields,
    reply: z.object({ message: z.string(), certificate }),
    refusals: ['CERTIFICATE_EXISTS'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/certificates/{id}',
    access: 'admin',
    summary: 'Delete a certificate; one that letters were issued for is withdrawn and keeps its history.',
    params: idParam,
    reply: z.object({ message: z.string() }),
  }),
  restore: route({
    method: 'POST',
    path: '/admin/certificates/{id}/restore',
    access: 'admin',
    summary:
      'Bring back a certificate that was deleted within the last day, or withdrawn, unless its number was entered again.',
    params: idParam,
    reply: z.object({ message: z.string(), certificate }),
    refusals: ['CERTIFICATE_EXISTS'],
  }),
}
