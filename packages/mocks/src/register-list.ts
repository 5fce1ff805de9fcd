import type { RegisterFilters, RegisterSort } from '@portal/contract/register-filters'
import type { Certificate } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { issuedLettersOf } from './certificate-detail.ts'
import { changesOf } from './history.ts'
import type { MockState } from './state.ts'
import { contains } from './text-search.ts'

/** Returns the current or the deleted certificates, newest first. */
export const certificatesIn = (state: MockState, { state: registerState }: RegisterFilters): Certificate[] =>
  registerState === 'deleted'
    ? (state.deleted ?? []).map(item => item.certificate).toReversed()
    : state.certificates

const matchesSearch = (certificate: Certificate, search: string) =>
  [certificate.certificate_number, certificate.student_name, certificate.course].some(text =>
    contains(text, search),
  ) ||
  (certificate.matric_number?.toUpperCase().startsWith(search.trim().toUpperCase()) ?? false)

const isWithin = (day: string, from: string | undefined, to: string | undefined) =>
  (from === undefined || day >= from) && (to === undefined || day <= to)

/** True if a certificate matches every filter. */
export function matchesFilters(
  state: MockState,
  certificate: Certificate,
  filters: RegisterFilters,
): boolean {
  const { search, course, department, grade, uploader, upload_id: upload, letters } = filters
  const matches = (value: string | null, filter: string | undefined) =>
    filter === undefined || value === filter
  const isOfUpload = (id: string) =>
    changesOf(state, 'certificate', certificate.id).some(
      ({ action, source }) => action === 'created' && source.id === id,
    )
  const hasLetters = () => issuedLettersOf(state, certificate.certificate_number).length > 0
  return (
    (search === '' || matchesSearch(certificate, search)) &&
    matches(certificate.course, course) &&
    matches(certificate.department, department) &&
    matches(certificate.grade, grade) &&
    matches(certificate.uploader_email, uploader) &&
    (upload === undefined || isOfUpload(upload)) &&
    isWithin(certificate.graduation_date, filters.graduated_from, filters.graduated_to) &&
    isWithin(certificate.uploaded_at.slice(0, 10), filters.uploaded_from, filters.uploaded_to) &&
    (letters === undefined || hasLetters() === (letters === 'with'))
  )
}

const sortKeys = {
  uploaded_at: (item: Certificate) => item.uploaded_at,
  certificate_number: (item: Certificate) => item.certificate_number,
  student_name: (item: Certificate) => fold(item.student_name),
  graduation_date: (item: Certificate) => item.graduation_date,
}

/** Sorts certificates; those with equal values stay in order, newest first. */
export function sortCertificates(certificates: readonly Certificate[], sort: RegisterSort): Certificate[] {
  if (sort === '-uploaded_at') return [...certificates]
  if (sort === 'uploaded_at') return certificates.toReversed()
  const descending = sort.startsWith('-')
  const key = sortKeys[(descending ? sort.slice(1) : sort) as keyof typeof sortKeys]
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return certificates.toSorted((a, b) => compare(key(a), key(b)) * (descending ? -1 : 1))
}

/** Returns how many certificates have each value of a field, most frequent first. */
function facetOf(certificates: readonly Certificate[], field: 'course' | 'department' | 'grade') {
  const counts = new Map<string, number>()
  for (const certificate of certificates)
    counts.set(certificate[field], (counts.get(certificate[field]) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
}

/** Returns the values that can be filtered by, each with its number of certificates. */
export const facetsOf = ({ certificates }: MockState) => ({
  departments: facetOf(certificates, 'department'),
  courses: facetOf(certificates, 'course'),
  grades: facetOf(certificates, 'grade'),
})
