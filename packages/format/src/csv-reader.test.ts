import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CsvReader, type CsvRecord, NotCsv } from './csv-reader.ts'

/** Reads text in chunks of `size` characters. */
function read(text: string, size = text.length || 1): CsvRecord[] {
  const reader = new CsvReader()
  const records: CsvRecord[] = []
  for (let position = 0; position < text.length; position += size)
    records.push(...reader.push(text.slice(position, position + size)))
  return [...records, ...reader.end()]
}
const readCells = (text: string, size?: number) => read(text, size).map(record => record.cells)

/** Corrections of cases in which the suite's expected values differ from its own file. */
const CORRECTED_EXPECTATIONS: Record<string, object> = {
  location_coordinates: { 'Contact Phone Number': '2095257564' },
}

describe('csv-spectrum', () => {
  const folder = path.dirname(createRequire(import.meta.url).resolve('csv-spectrum'))
  const cases = readdirSync(path.join(folder, 'csvs')).map(file => file.replace('.csv', ''))

  it.each(cases)('parses %s in chunks of any size', name => {
    const text = readFileSync(path.join(folder, 'csvs', `${name}.csv`), 'utf8')
    const expectedRows: object | object[] = JSON.parse(
      readFileSync(path.join(folder, 'json', `${name}.json`), 'utf8'),
    )
    const expected = [expectedRows].flat().map(row => ({ ...row, ...CORRECTED_EXPECTATIONS[name] }))
    for (const size of [1, 2, 3, 7, 64, text.length]) {
      const [header = [], ...rows] = readCells(text, size)
      const objects = rows.map(row =>
        Object.fromEntries(row.map((cell, index) => [header[index] ?? '', cell])),
      )
      // The suite expects LF inside quoted fields, even if the file uses other line breaks.
      const normalised = JSON.parse(JSON.stringify(objects).replaceAll('\\r\\n', '\\n'))
      expect(normalised).toEqual(JSON.parse(JSON.stringify(expected).replaceAll('\\r\\n', '\\n')))
    }
  })
})

it.each([',', ';', '\t'])('detects the separator %j in the header', separator => {
  const text = [
    ['a', 'b', 'c'],
    ['1', '"x,;\ty"', '3'],
  ]
    .map(row => row.join(separator))
    .join('\n')
  expect(readCells(text, 2)).toEqual([
    ['a', 'b', 'c'],
    ['1', 'x,;\ty', '3'],
  ])
})

it('accepts LF, CRLF and CR', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    for (const size of [1, 2, 5, 100]) {
      expect(readCells(`a,b${end}1,"2"${end}3,4${end}`, size)).toEqual([
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ])
    }
  }
})

it('reports the line on which each record begins, also after multi-line fields', () => {
  expect(read('a,b\n"1\n2",x\n\ny,z\n').map(record => record.line)).toEqual([1, 2, 4, 5])
})

describe('a stray quotation mark affects only its own line', () => {
  it.each([
    ['never closed', 'a,b\n"1,2\n3,4\n5,6\n'],
    ['closed by a later field', 'a,b\n"1,2\n3,"4"\n5,6\n'],
    ['followed by text', 'a,b\n"1"x,2\n3,4\n5,6\n'],
  ])('if it is %s', (_, text) => {
    for (const size of [1, 4, 100]) {
      const records = read(text, size)
      expect(records.map(record => [record.line, record.damaged ?? false])).toEqual([
        [1, false],
        [2, true],
        [3, false],
        [4, false],
      ])
    }
  })

  it('even if it would turn the rest of a long file into one field', () => {
    const rest = Array.from({ length: 20_000 }, (_, index) => `${index},x`).join('\n')
    const records = read(`a,b\n"1,2\n${rest}`, 4096)
    expect(records).toHaveLength(20_002)
    expect(records.filter(record => record.damaged)).toHaveLength(1)
  })

  it('and is an ordinary character inside an unquoted field', () => {
    expect(readCells('a,b\n5" disk,x"y"\n')).toEqual([
      ['a', 'b'],
      ['5" disk', 'x"y"'],
    ])
  })
})

it('throws for a line that is too long, although it arrives in chunks', { tags: ['QUALITY-37'] }, () => {
  expect(() => read(`a,b\n${'x'.repeat(2 ** 21)}`, 2 ** 16)).toThrow(NotCsv)
  expect(() => read('x'.repeat(2 ** 21), 2 ** 16)).toThrow(NotCsv)
})

describe('every row of a file is accounted for', () => {
  const header = 'a,b,c,d,e'
  const readLines = (text: string) => {
    for (const size of [1, 2, 5]) expect(read(text, size)).toEqual(read(text))
    return read(text).map(record => [record.line, record.damaged ? 'damaged' : record.cells[0]])
  }

  it.each([
    ['in the first column', '"1,x,x,x,x\n2,x,x,x,x\n3",x,x,x,x\n4,x,x,x,x\n'],
    ['in the middle', '1,"x,x,x,x\n2,x,x,x,x\n3,x",x,x,x\n4,x,x,x,x\n'],
  ])('two stray quotation marks %s reject only their own lines, not those between', (_, rows) => {
    expect(readLines(`${header}\n${rows}`)).toEqual([
      [1, 'a'],
      [2, 'damaged'],
      [3, '2'],
      [4, 'damaged'],
      [5, '4'],
    ])
  })

  it('two stray quotation marks on consecutive lines reject both lines', () => {
    expect(readLines(`${header}\n"1,x,x,x,x\n2",x,x,x,x\n3,x,x,x,x\n`)).toEqual([
      [1, 'a'],
      [2, 'damaged'],
      [3, 'damaged'],
      [4, '3'],
    ])
  })

  it('a field with several lines is not taken for stray quotation marks', () => {
    expect(readCells(`${header}\n1,"x, y\nz, 1\n\nend",x,x,x\n`)[1]).toEqual([
      '1',
      'x, y\nz, 1\n\nend',
      'x',
      'x',
      'x',
    ])
  })

  it('lines are counted as in an editor, with any line endings and with blank lines', () => {
    expect(readLines(`\n\r\n${header}\r1,x\r\n\n2,x\r\r\n3,x`)).toEqual([
      [3, 'a'],
      [4, '1'],
      [5, ''],
      [6, '2'],
      [7, ''],
      [8, '3'],
    ])
    expect(readLines(`sep=;\na;b\n1;2\n`)).toEqual([
      [2, 'a'],
      [3, '1'],
    ])
  })

  it('byte order marks inside concatenated files are ignored', () => {
    expect(readLines(`${header}\n\ufeff"1",x,x,x,x\n`)).toEqual([
      [1, 'a'],
      [2, '1'],
    ])
  })

  it('a NUL character is reported with its line', () => {
    const failure = expect.objectContaining({ line: 3, reason: 'nul' })
    for (const size of [1, 3, 100]) expect(() => read('a,b\n1,2\n3,\0\n', size)).toThrow(failure)
  })
})
