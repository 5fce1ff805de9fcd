import { expect, test } from 'vitest'
import { findNumbersInTable, parseNumbers } from './numbers.ts'
import { readNumbersOfCsv } from './read-csv.ts'

test('in pasted text, lines, commas, semicolons, tabs and spaces separate numbers', () => {
  expect(parseNumbers(' ug/2019/00123\r\nPG/2020/00456, "CCED/2018/001";\tHND/1/777  \n\n')).toEqual([
    'UG/2019/00123',
    'PG/2020/00456',
    'CCED/2018/001',
    'HND/1/777',
  ])
  expect(parseNumbers(' \n ,;')).toEqual([])
})

test('in pasted text, a number in any notation stays one number', () => {
  expect(parseNumbers('UG / 2019 / 00123.\n\u200bug\\2019\\00124\nUG 2019 00125\nUG2019 00126')).toEqual([
    'UG/2019/00123',
    'UG/2019/00124',
    'UG 2019 00125',
    'UG2019 00126',
  ])
  expect(parseNumbers('UG/2019/00123 PG/2020/00456 x')).toEqual(['UG/2019/00123', 'PG/2020/00456', 'X'])
  expect(parseNumbers('UG/2019/00123 PG/2020/00456')).toEqual(['UG/2019/00123', 'PG/2020/00456'])
  expect(parseNumbers('12345 67890')).toEqual(['12345', '67890'])
})

test('in a table, the column with a known heading is read, regardless of its case and position', () => {
  for (const heading of ['certificate_number', 'Certificate Number', 'CERTIFICATE NO.', 'number']) {
    expect(
      findNumbersInTable([
        ['Name', heading],
        ['Ada Obi', 'ug/2019/00123'],
        ['Tunde Bello', ''],
        ['Chika Eze', 'oddly written'],
      ]),
    ).toEqual(['UG/2019/00123', 'ODDLY WRITTEN'])
  }
})

test('in a table without a known heading, the column with the most numbers is read', () => {
  const rows = [
    ['Ada-Obi', '12', 'UG/2019/00123'],
    ['Tunde', '13', 'UG/2019/00124'],
  ]
  expect(findNumbersInTable(rows)).toEqual(['UG/2019/00123', 'UG/2019/00124'])
  expect(findNumbersInTable([['Who', 'Age', 'Paper'], ...rows])).toEqual(['UG/2019/00123', 'UG/2019/00124'])
  expect(findNumbersInTable([['Ada'], ['Tunde']])).toEqual([])
  expect(findNumbersInTable([])).toEqual([])
})

const encodeUtf16 = (text: string) => {
  const bytes = new Uint8Array(2 + text.length * 2)
  bytes.set([0xff, 0xfe])
  for (let index = 0; index < text.length; index++) bytes[2 + index * 2] = text.charCodeAt(index)
  return bytes
}

test.each([
  [
    'commas and quotes',
    new TextEncoder().encode('"certificate_number","name"\r\n"UG/2019/00123","Obi, Ada"\r\n'),
  ],
  [
    'a byte order mark and semicolons',
    new TextEncoder().encode('\ufeffname;certificate_number\nAda;UG/2019/00123\n'),
  ],
  ['tabs', new TextEncoder().encode('name\tcertificate_number\nAda\tUG/2019/00123')],
  ['one column without a heading', new TextEncoder().encode('UG/2019/00123\n')],
  ['UTF-16', encodeUtf16('name,certificate_number\r\nAda,UG/2019/00123\r\n')],
  ['Windows-1252', new Uint8Array([0x4e, 0xe9, 0x3b, 0x55, 0x47, 0x2f, 0x31, 0x2f, 0x31, 0x32, 0x33])],
])('numbers are read from a CSV file with %s', (name, bytes) => {
  expect(readNumbersOfCsv(bytes)).toEqual([name === 'Windows-1252' ? 'UG/1/123' : 'UG/2019/00123'])
})
