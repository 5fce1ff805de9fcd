import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { choice, filter } from './shapes.ts'

/* Filters and sort orders for the list of certificates. */

export const registerSorts = [
  '-uploaded_at',
  'uploaded_at',
  'certificate_number',
  '-certificate_number',
  'student_name',
  '-student_name',
  'graduation_date',
  '-graduation_date',
] as const
export type RegisterSort = (typeof registerSorts)[number]

const exactFilter = () => filter(z.string().max(500))

export const registerFilters = {
  search: field
    .searchText()
    .default('')
    .describe('Words in number, student name and course, or the beginning of a matric number.'),
  course: exactFilter(),
  department: exactFilter(),
  grade: exactFilter(),
  graduated_from: filter(field.date()),
  graduated_to: filter(field.date()),
  uploaded_from: filter(field.date()),
  uploaded_to: filter(field.date()),
  uploader: filter(z.string().trim().toLowerCase().max(500)).describe(
    'Email address of the person who added it.',
  ),
  upload_id: filter(z.string().max(64)),
  letters: choice(['with', 'without']),
  state: choice(['current', 'deleted']),
}

export const registerSort = choice(registerSorts)

const filters = z.object(registerFilters)
export type RegisterFilters = z.output<typeof filters>
