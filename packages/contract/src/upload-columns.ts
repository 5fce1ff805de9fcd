import { type DateOrder, dateOrders } from './upload-dates.ts'

/* Maps the header of a certificate upload to fields. Shared by the API, the mocks and the upload screen, so that the
   preview matches the import. */

/** Fields of an upload, in the order of the template's header. */
export const uploadFields = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
] as const
export type UploadField = (typeof uploadFields)[number]

/** Field labels in forms and messages. */
export const fieldLabels: Readonly<Record<UploadField, string>> = {
  certificate_number: 'Certificate number',
  student_name: 'Student name',
  matric_number: 'Matric number',
  course: 'Course',
  graduation_date: 'Graduation date',
  grade: 'Grade',
  department: 'Department',
}

/** Adds the field's label to a message that does not name the field. */
export const labelProblem = (field: UploadField, message: string): string =>
  message.startsWith('Please use at most') ? `${fieldLabels[field]}: p${message.slice(1)}` : message

/** Joins all error messages of a row; undefined if there are none. */
export const joinProblems = (problems: readonly string[]): string | undefined =>
  problems.length < 2
    ? problems[0]
    : problems.map(problem => (problem.endsWith('.') ? problem : `${problem}.`)).join(' ')

/** Columns that the file of failed rows adds; they may stay in the file when it is corrected and uploaded again. */
export const failedRowsColumns = ['row', 'error'] as const

/** Fields whose column may be missing. */
const optionalFields: readonly UploadField[] = ['matric_number']

/** Alternatives for words in names of columns; other words match only themselves. Every word may have a plural `s`. */
const spellings: Readonly<Record<string, string>> = {
  certificate: 'certificate|cert',
  number: 'number|num|no|nbr|nr',
  matric: 'matriculation|matric|mat',
  registration: 'registration|regn|reg',
  graduation: 'graduation|grad',
  programme: 'programme|program|prog',
  department: 'department|dept|dpt',
  class: 'classification|class',
  of: 'ofthe|ofa|of',
}

/**
 * Accepted names of each field's column. Ambiguous names such as `Degree`, `Date`, `Serial No`, `Result` or `Year of
 * Graduation` are left out on purpose: unrecognised columns are reported rather than guessed.
 */
const columnNames: Readonly<Record<UploadField, readonly string[]>> = {
  certificate_number: [
    'certificate number',
    'certificate id',
    'certificate code',
    'certificate reference',
    'certificate ref',
    'certificate reference number',
    'certificate ref number',
    'certificate serial number',
    'number of certificate',
  ],
  student_name: [
    'student name',
    'name of student',
    'student full name',
    'full name of student',
    'full name',
    'name in full',
    'name',
    'student',
    'graduate name',
    'name of graduate',
    'graduand name',
    'name of graduand',
    'candidate name',
    'name of candidate',
    'holder name',
    'name of holder',
  ],
  matric_number: [
    'matric number',
    'matric',
    'student matric number',
    'matric registration number',
    'registration number',
    'student registration number',
    'student number',
    'student id',
    'student id number',
  ],
  course: [
    'course',
    'course name',
    'course title',
    'name of course',
    'course of study',
    'programme',
    'programme name',
    'name of programme',
    'programme of study',
    'degree programme',
  ],
  graduation_date: [
    'graduation date',
    'date of graduation',
    'graduation',
    'graduated',
    'date graduated',
    'graduated on',
    'date of award',
    'award date',
    'date awarded',
    'awarded on',
  ],
  grade: [
    'grade',
    'final grade',
    'class',
    'class of degree',
    'degree class',
    'degree grade',
    'grade of degree',
    'class of honours',
    'honours class',
    'class of award',
  ],
  department: ['department', 'department name', 'name of department', 'academic department'],
}

const wordPattern = (word: string) => `(?:${spellings[word] ?? word})s?`

const patterns = uploadFields.map(field => {
  const alternatives = columnNames[field].map(name => name.split(' ').map(wordPattern).join(''))
  return [field, new RegExp(`^(?:${alternatives.join('|')})$`)] as const
})

/** What may follow a name: a date format such as `(DD/MM/YYYY)`, or a remark such as `[required]`. */
const DATE_SHAPE = /(?<![a-z])([dmy])\1*[\s/._-]?(?!\1)([dmy])\2*[\s/._-]?(?!\1|\2)[dmy]{2,4}(?![a-z])/i
const REMARK = /[([]\s*(?:required|optional|surname first|last name first)\s*[)\]]/gi

/** Reduces a name to lowercase letters and digits without diacritics: `Cert. N°`, `cert_no` and `CertNo` become equal. */
const normaliseHeader = (header: string) =>
  header
    .replace(DATE_SHAPE, '')
    .replace(REMARK, '')
    .replaceAll('#', ' number ')
    .replaceAll('°', 'o')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the field that a header names, if any. */
export function fieldOf(header: string): UploadField | undefined {
  const key = normaliseHeader(header)
  return key === '' ? undefined : patterns.find(([, pattern]) => pattern.test(key))?.[0]
}

/** Returns the date order stated in a header such as `Graduation date (MM/DD/YYYY)`. */
function parseStatedOrder(header: string | undefined): DateOrder | undefined {
  const [, first, second] = DATE_SHAPE.exec(header?.toLowerCase() ?? '') ?? []
  return dateOrders.find(order => order.startsWith(`${first}${second}`))
}

/** Result of reading a header line. */
export interface UploadHeader {
  /** The recognised columns in the file's order. */
  recognised: readonly { field: UploadField; header: string; columnIndex: number }[]
  /** Names of the columns that are not imported, at most 100. */
  ignored: readonly string[]
  /** Number of columns up to the last one with a name. */
  width: number
  dateOrder?: DateOrder | undefined
  /** Why the file cannot be imported, if it cannot. */
  problem?: string | undefined
}

/** Maximum number of ignored columns that are listed, and maximum length of a displayed name. */
const MAX_LISTED = 100

const displayName = (header: string) =>
  header
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LISTED)

/** Reads a header line, whose columns may be in any order. */
export function readUploadHeader(cells: readonly string[]): UploadHeader {
  const width = cells.findLastIndex(cell => displayName(cell) !== '') + 1
  const columns = cells
    .slice(0, width)
    .map((cell, columnIndex) => ({ columnIndex, header: displayName(cell), field: fieldOf(cell) }))
  const recognised = columns.flatMap(({ field, header, columnIndex }) =>
    field ? [{ field, header, columnIndex }] : [],
  )
  const ignored = columns
    .filter(({ field }) => !field)
    .map(({ header, columnIndex }) => header || `Column ${columnIndex + 1} (no name)`)
  const listed =
    ignored.length > MAX_LISTED
      ? [...ignored.slice(0, MAX_LISTED - 1), `${ignored.length - MAX_LISTED + 1} more`]
      : ignored
  return {
    recognised,
    ignored: listed,
    width,
    dateOrder: parseStatedOrder(recognised.find(({ field }) => field === 'graduation_date')?.header),
    problem:
      noHeaderProblem(recognised) ??
      duplicateColumnProblem(columns) ??
      missingColumnProblem(recognised, listed),
  }
}

/** Returns an error about ambiguous columns: two for the same field, or two with the same name. */
function duplicateColumnProblem(
  columns: readonly { header: string; field: UploadField | undefined }[],
): string | undefined {
  const headersByIdentity = new Map<string, string>()
  for (const { header, field } of columns) {
    if (header === '') continue
    const identity = field ?? `other: ${header.toLowerCase()}`
    const firstHeader = headersByIdentity.get(identity)
    if (firstHeader !== undefined)
      return `The header names ${field ? fieldLabels[field] : header} twice. Please keep one of the columns “${firstHeader}” and “${header}”.`
    headersByIdentity.set(identity, header)
  }
  return undefined
}

const missingFieldsOf = (recognised: UploadHeader['recognised']) =>
  uploadFields.filter(
    name => !optionalFields.includes(name) && !recognised.some(({ field }) => field === name),
  )

const noHeaderProblem = (recognised: UploadHeader['recognised']) =>
  missingFieldsOf(recognised).length > 3 ? 'The first line must name the columns of the template.' : undefined

function missingColumnProblem(
  recognised: UploadHeader['recognised'],
  ignored: readonly string[],
): string | undefined {
  const missingFields = missingFieldsOf(recognised)
  if (missingFields.length === 0) return undefined
  const unrecognisedNote = ignored.length > 0 ? ` Not recognised: ${ignored.slice(0, 10).join(', ')}.` : ''
  return `The header has no column for: ${missingFields.map(name => `${fieldLabels[name]} (${name})`).join(', ')}. Please compare it with the template.${unrecognisedNote}`
}
