import { describe, expect, test } from 'vitest'
import { fieldOf, readUploadHeader, uploadFields } from './upload-columns.ts'

describe('a column heading', () => {
  test.each([
    [
      'certificate_number',
      [
        'Cert. No.',
        'CERT NO',
        'certNo',
        'Certificate #',
        'Certificate №',
        'Cert-Num',
        'Certificate Numbers',
        '\ufeffCertificate\u00a0No',
        'Cert. N°',
      ],
    ],
    [
      'student_name',
      [
        'Name',
        'FULL NAME',
        'Name of Student',
        "Student's Name",
        'studentName',
        'Names',
        'Name (Surname first)',
      ],
    ],
    [
      'matric_number',
      [
        'Matric No',
        'Matric. No.',
        'Matriculation Number',
        'Reg No',
        'Registration Number',
        'Mat. No',
        'Matric/Reg No.',
        'Student ID',
      ],
    ],
    ['course', ['Course', 'Programme', 'Program', 'Course of Study', 'Programme-of-study', 'Coursé']],
    [
      'graduation_date',
      [
        'Date of Graduation',
        'Graduation  Date',
        'GraduationDate',
        'Grad. Date',
        'Date of Award',
        'Date Awarded',
        'Graduation Date (DD/MM/YYYY)',
        'date_of_graduation\u200b',
      ],
    ],
    [
      'grade',
      [
        'Grade',
        'Class',
        'Class of Degree',
        'Degree class',
        'CLASSIFICATION',
        'Degree Classification [required]',
      ],
    ],
    ['department', ['Dept', 'Dept.', 'Departments', 'DEPARTMENT NAME', 'Name of Department']],
  ] as const)('is recognised as %s if it is any of %j', (field, headers) => {
    expect(headers.map(header => [header, fieldOf(header)])).toEqual(headers.map(header => [header, field]))
  })

  test.each([
    'S/N',
    'Serial No',
    'Date',
    'Date of Birth',
    'Degree',
    'Year of Graduation',
    'Course Code',
    'Surname',
    'Faculty',
    'JAMB Reg No',
    'Grade 2',
    'CGPA',
    '',
  ])('is not recognised if it is %j', header => expect(fieldOf(header)).toBeUndefined())
})

describe('a header line', () => {
  test('yields the recognised columns in order, and the ignored columns', () => {
    const header = readUploadHeader(['S/N', 'Dept', ...uploadFields.slice(0, 6), '', 'Remarks', '', ''])
    expect(header.problem).toBeUndefined()
    expect(header.recognised.map(({ field }) => field)).toEqual(['department', ...uploadFields.slice(0, 6)])
    expect(header.ignored).toEqual(['S/N', 'Column 9 (no name)', 'Remarks'])
    expect(header.width).toBe(10)
  })

  test.each([
    [
      ['Cert No'],
      'The header names Certificate number twice. Please keep one of the columns “certificate_number” and “Cert No”.',
    ],
    [
      ['Notes', 'Other', 'NOTES'],
      'The header names NOTES twice. Please keep one of the columns “Notes” and “NOTES”.',
    ],
  ])('is rejected if it has %j in addition to the template', (extraColumns, problem) => {
    expect(readUploadHeader([...uploadFields, ...extraColumns]).problem).toBe(problem)
  })

  test('is rejected if a required column is missing, and the error lists the columns that were not recognised', () => {
    const header = uploadFields.map(field => (field === 'student_name' ? 'Surname' : field))
    expect(readUploadHeader(header).problem).toBe(
      'The header has no column for: Student name (student_name). Please compare it with the template. Not recognised: Surname.',
    )
  })

  test.each([
    ['Graduation Date (MM/DD/YYYY)', 'mdy'],
    ['Date of Graduation DD-MM-YYYY', 'dmy'],
    ['graduation_date', undefined],
  ])('with %s states the date order %s', (header, order) => {
    expect(readUploadHeader([header]).dateOrder).toBe(order)
  })

  test('yields at most 100 ignored columns', () => {
    const extraColumns = Array.from({ length: 500 }, (_, index) => `Other ${index}`)
    const { ignored } = readUploadHeader([...uploadFields, ...extraColumns])
    expect([ignored.length, ignored.at(-1)]).toEqual([100, '401 more'])
  })
})
