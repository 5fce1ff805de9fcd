import { describe, expect, it } from 'vitest'
import { parseSheet } from './upload-reading.ts'

const parseRows = (file: Uint8Array) => parseSheet(file).rows

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const makeRow = (number: string, name = 'Some One') => `${number},${name},M1,Physics,2017-07-01,Pass,Physics`
const encodeUtf8 = (text: string) => new TextEncoder().encode(text)
const encodeUtf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(`\ufeff${text}`, item => item.charCodeAt(0)).buffer)
const encodeLatin1 = (text: string) => Uint8Array.from(text, item => item.charCodeAt(0))

describe('a file of two rows', () => {
  const plain = [HEADER, makeRow('UG/2017/00001', 'José'), makeRow('UG/2017/00002')].join('\n')
  const expectedRows = parseRows(encodeUtf8(plain))

  it('has line numbers that count the header', () => {
    expect(expectedRows).toMatchObject([
      { line: 2, values: { certificate_number: 'UG/2017/00001', student_name: 'José' } },
      { line: 3, values: { certificate_number: 'UG/2017/00002', graduation_date: '2017-07-01' } },
    ])
  })

  it.each([
    ['a byte order mark', encodeUtf8(`\ufeff${plain}`)],
    ['UTF-16', encodeUtf16(plain)],
    ['Windows-1252', encodeLatin1(plain)],
    ['semicolons', encodeUtf8(plain.replaceAll(',', ';'))],
    ['tabs', encodeUtf8(plain.replaceAll(',', '\t'))],
    ['CRLF', encodeUtf8(`${plain.replaceAll('\n', '\r\n')}\r\n`)],
    ['CR', encodeUtf8(plain.replaceAll('\n', '\r'))],
    [
      'column names with spaces and capitals',
      encodeUtf8(plain.replace('certificate_number,student_name', 'Certificate Number,STUDENT-NAME')),
    ],
    ['quotation marks', encodeUtf8(plain.replaceAll('Physics', '"Physics"'))],
  ])('gives the same rows with %s', (_, file) => {
    expect(parseRows(file)).toEqual(expectedRows)
  })
})

it('keeps line breaks and separators in quoted fields, and still counts lines correctly', () => {
  const text = [HEADER, makeRow('UG/2017/00001', '"One, ""The""\nOther"'), '', makeRow('UG/2017/00002')].join(
    '\n',
  )
  expect(parseRows(encodeUtf8(text))).toMatchObject([
    { line: 2, values: { student_name: 'One, "The"\nOther' } },
    { line: 5, values: { certificate_number: 'UG/2017/00002' } },
  ])
})

it('rejects only the lines with an error', () => {
  const text = [
    HEADER,
    makeRow('UG/2017/00001', '"Some'),
    makeRow('UG/2017/00002'),
    `${makeRow('UG/2017/00003')},more`,
  ]
  expect(parseRows(encodeUtf8(text.join('\n')))).toMatchObject([
    { line: 2, error: 'A quotation mark in this row is not closed.' },
    { line: 3, values: { certificate_number: 'UG/2017/00002' } },
    { line: 4, error: 'This row has 8 cells, but the header has 7.' },
  ])
})

it.each([
  ['', 'The file is empty. Please use the template.'],
  [makeRow('UG/2017/00001'), 'The first line must name the columns of the template.'],
  [
    HEADER.replace(',grade', ''),
    'The header has no column for: Grade (grade). Please compare it with the template.',
  ],
  [`${HEADER},Grade`, 'The header names Grade twice.'],
])('rejects the file %j', (text, message) => {
  expect(() => parseRows(encodeUtf8(text))).toThrow(message)
})

it('rejects a file that is not text', () => {
  expect(() => parseRows(encodeUtf8(`${HEADER}\n${makeRow('UG/2017/00001')}\0`))).toThrow(
    'Line 2 has a NUL character',
  )
})

it('counts lines as an editor does, including those before the header', () => {
  expect(parseRows(encodeUtf8(`\n\n${HEADER}\n\n${makeRow('UG/2017/00001')}`))).toMatchObject([{ line: 5 }])
})

it('rejects a file without rows', () => {
  expect(() => parseRows(encodeUtf8(`${HEADER}\n\n`))).toThrow('The file has no rows.')
})

it('rejects only the rows that are not UTF-8 in a file of mixed encodings', () => {
  const mixed = [
    ...encodeLatin1(`${HEADER}\n${makeRow('UG/2017/00001', 'José')}\n`),
    ...encodeUtf8(makeRow('UG/2017/00002', 'Ọlá')),
  ]
  expect(parseRows(new Uint8Array(mixed))).toMatchObject([
    { line: 2, error: expect.stringMatching('cannot be decoded') },
    { line: 3, values: { student_name: 'Ọlá' } },
  ])
})

it('rejects a file in another code page', () => {
  expect(() => parseRows(encodeLatin1(`${HEADER}\n${makeRow('UG/2017/00001', 'Jos\x8e')}`))).toThrow(
    'see line 2',
  )
})
