import { certificateFields } from '@portal/contract/admin-certificates'
import { ZONE } from '@portal/contract/graduation-date'
import { nameProblem, tidyLine } from '@portal/contract/printable-text'
import { uploadFields as COLUMNS, joinProblems } from '@portal/contract/upload-columns'
import { readDate } from '@portal/contract/upload-dates'
import { makeCertificate } from '@portal/fixtures/factories'
import { INSTITUTION_ZONE } from '@portal/format/dates'
import { describe, expect, it } from 'vitest'
import { readHeader, readRow } from './rows.ts'

describe('dates', () => {
  it('may be up to the current day in the time zone of the letters', () =>
    expect(ZONE).toBe(INSTITUTION_ZONE))

  it.each([
    ['2019-11-22', '2019-11-22'],
    ['2019-1-2', '2019-01-02'],
    ['2019-11-22 00:00:00', '2019-11-22'],
    ['22/11/2019', '2019-11-22'],
    ['2/1/2019', '2019-01-02'],
    ['22-11-2019', '2019-11-22'],
    ['22.11.2019', '2019-11-22'],
    ['7 Jul 2019', '2019-07-07'],
    ['07 JULY 2019', '2019-07-07'],
    ['7-Sept-2019', '2019-09-07'],
    ['3rd Mar 2019', '2019-03-03'],
    ['29/02/2020', '2020-02-29'],
  ])('such as %s are read as %s', (text, date) => expect(readDate(text)).toBe(date))

  it.each([
    '',
    '2019',
    '31/02/2019',
    '29/02/2019',
    '2019-13-01',
    '13/13/2019',
    '7 Foo 2019',
    '07/07/19',
    '43000',
  ])('%j is invalid', text => expect(readDate(text)).toBeUndefined())
})

describe('header', () => {
  it('names are accepted in any case and order, with spaces or underscores, among other columns', () => {
    const { columnMap, ignored } = readHeader([
      'DEPARTMENT',
      'Remarks',
      'Certificate Number',
      'student name',
      'Matric_Number',
      'Course',
      ' Graduation  Date ',
      'grade',
    ])
    expect(columnMap).toEqual([2, 3, 4, 5, 6, 7, 0])
    expect(ignored).toEqual(['Remarks'])
  })

  it('a column for matriculation numbers may be missing, and other missing columns are listed', () => {
    const without = (...names: string[]) => COLUMNS.filter(name => !names.includes(name))
    expect(readHeader(without('matric_number')).columnMap).toEqual([0, 1, -1, 2, 3, 4, 5])
    expect(() => readHeader(without('course', 'grade'))).toThrow(
      'The header has no column for: Course (course), Grade (grade).',
    )
    expect(() => readHeader(['a', 'b'])).toThrow('The first line must name the columns of the template.')
    expect(() => readHeader([...COLUMNS, 'Course'])).toThrow('The header names Course twice.')
  })
})

describe('rows', () => {
  const format = {
    columnMap: COLUMNS.map((_, index) => index),
    width: 7,
    dateOrder: 'dmy',
    today: '2026-11-23',
  } as const
  const certificate = makeCertificate()
  const cellsOf = (overrides: Partial<Record<(typeof COLUMNS)[number], string>> = {}) =>
    COLUMNS.map(name => overrides[name] ?? certificate[name] ?? '')
  /** Returns all messages of the form, one per field. */
  const joinMessages = (error: { issues: { message: string }[] } | undefined) =>
    joinProblems(error?.issues.map(({ message }) => message) ?? [])
  const errorOf = (overrides: Parameters<typeof cellsOf>[0]) => readRow(cellsOf(overrides), format).error

  it('are validated like the form’s fields', () => {
    const { values, error } = readRow(
      cellsOf({
        certificate_number: ' ug/2019/00999 ',
        graduation_date: '22/11/2019',
        student_name: "'=Ada",
      }),
      format,
    )
    expect([values[0], values[4], values[1], error]).toEqual([
      'UG/2019/00999',
      '2019-11-22',
      '=Ada',
      undefined,
    ])
  })

  it('are stored under the normalised number, and failed ones are reported with the number in the file', () => {
    const read = (certificate_number: string) => readRow(cellsOf({ certificate_number }), format)
    expect(read('\u200bug \\ 2019 / 00999.').values[0]).toBe('UG/2019/00999')
    expect(read('ug 2019 00999')).toMatchObject({
      values: expect.arrayContaining(['ug 2019 00999']),
      error: 'Please enter a valid certificate number.',
    })
  })

  // The contract is authoritative; this faster implementation must agree with it.
  it.each(COLUMNS.flatMap(name => ['', ' ', 'x'.repeat(400)].map(value => ({ name, value }))))(
    'fail if and only if the form refuses them: $name $value',
    ({ name, value }) => {
      const body = Object.fromEntries(COLUMNS.map((column, at) => [column, cellsOf({ [name]: value })[at]]))
      const form = certificateFields.safeParse(body)
      const error = errorOf({ [name]: value })
      expect(error === undefined).toBe(form.success)
      if (value.trim() === '' && !form.success) expect(error).toBe(joinMessages(form.error))
    },
  )

  // Unprintable and invisible characters are refused in both; everything else is stored in the same way.
  it.each(
    ['student_name', 'matric_number', 'course', 'grade', 'department'].flatMap(name =>
      [
        ...[
          '李明',
          'Ad\u202ea',
          'Ada\u200b',
          '\ufeffAda',
          'A\u0000da',
          '\u0301Ada',
          '\ud800',
          'A\u{e0041}',
          'see http://x',
        ],
        ...[' Ada\u00a0  Obi ', 'A\tda', 'Olu\u0301wa\u0323', 'ị́', 'Ɗanladi'],
      ].map(value => ({ name, value })),
    ),
  )('fail or are stored exactly as in the form: $name $value', ({ name, value }) => {
    const body = Object.fromEntries(COLUMNS.map((column, at) => [column, cellsOf({ [name]: value })[at]]))
    const form = certificateFields.safeParse(body)
    const { values, error } = readRow(cellsOf({ [name]: value }), format)
    expect(error).toBe(joinMessages(form.error))
    if (form.success) expect(values).toEqual(COLUMNS.map(column => form.data[column] ?? ''))
  })

  it('have all their problems reported, as in the form', { tags: ['DATA-22'] }, () => {
    const over = {
      certificate_number: 'bad',
      student_name: '李',
      course: '',
      graduation_date: '2099-01-01',
      grade: 'x'.repeat(101),
    }
    expect(errorOf(over)).toBe(
      'Please enter a valid certificate number. Student name contains characters the letter cannot print: 李 (U+674E). Course is required. Please enter a graduation date between January 1, 1900 and today. Grade: please use at most 100 characters.',
    )
    const form = certificateFields.safeParse(
      Object.fromEntries(COLUMNS.map((name, at) => [name, cellsOf(over)[at]])),
    )
    expect(form.error?.issues.map(({ path }) => path[0])).toEqual(Object.keys(over))
  })

  it('return the date in ISO format if another field is invalid', () => {
    const { values, error } = readRow(cellsOf({ graduation_date: '03/04/2019', grade: '' }), {
      ...format,
      dateOrder: 'mdy',
    })
    expect([values[4], error]).toEqual(['2019-03-04', 'Grade is required'])
  })

  it('fail individually if they have too many cells or undecodable characters', () => {
    expect(readRow([...cellsOf(), 'more'], format).error).toBe('This row has 8 cells, but the header has 7.')
    expect(readRow([...cellsOf(), ' '], format).error).toBeUndefined()
    expect(errorOf({ student_name: 'Ad\ufffd' })).toBe(
      'Student name contains characters the letter cannot print: \ufffd (U+FFFD)',
    )
  })
})

it('reads a name in the same way whether or not its words were read before', () => {
  const header = readHeader(COLUMNS)
  const format = { ...header, width: COLUMNS.length, dateOrder: 'dmy' as const, today: '2026-01-01' }
  const names = [
    ...[
      'Ada Obi',
      ' Ada  Obi ',
      'Ada\u00a0Obi',
      'Ada\tObi',
      'Ọláṣẹ́ńí Adé',
      'O\u0323la\u0301 Ade\u0301',
      'Ada \u0301Obi',
    ],
    ...[
      'Ada \u200bObi',
      'Ada 王',
      'Ada www.obi.test',
      'Ada :',
      'Ada ://',
      "O'Neil Ada",
      '-Ada Obi',
      'Ada e\u0301\u0301\u0301\u0301',
    ],
    ...['Ada Wolfeschlegelsteinhausen', `${'Ada '.repeat(100)}Obi`],
  ]
  for (const name of [...names, ...names]) {
    const { values, error } = readRow(['UG/2019/00123', name, '', 'Law', '2019-07-07', 'Pass', 'Law'], format)
    expect(values[1]).toBe(tidyLine(name).slice(0, 300))
    const isValid = nameProblem('Student name', tidyLine(name)) === undefined && tidyLine(name).length <= 255
    expect([name, error === undefined]).toEqual([name, isValid])
  }
})
