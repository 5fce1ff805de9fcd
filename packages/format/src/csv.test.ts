import { describe, expect, it } from 'vitest'
import { csvCell, csvLine, csvRecord, withoutApostrophe } from './csv.ts'

describe('csvCell', { tags: ['QUALITY-39'] }, () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [5000.5, '5000.5'],
    [-3, '-3'],
    [true, 'true'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' kept ', '" kept "'],
    ['Adébáyọ̀ ₦5,000', '"Adébáyọ̀ ₦5,000"'],
  ])('writes %j as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+234 803', "'+234 803"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('makes sure that a spreadsheet does not run %j as a formula', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })

  it.each(['=1+1', '＋1', "'=1", "''＠x", "'Ndu", "O'=1", "'", ''])(
    'writes %j so that withoutApostrophe restores it',
    value => {
      expect(withoutApostrophe(csvCell(value))).toBe(value)
    },
  )

  it('does not change an equals sign inside text', () => {
    expect(csvCell('a=b')).toBe('a=b')
  })
})

it('ends lines with CRLF', () => {
  expect(csvLine(['a', null, 'b,c', 1])).toBe('a,,"b,c",1\r\n')
})

it('writes money with two decimals, and other numbers as they are', () => {
  const row = { amount: -5000, count: 3, note: '-1' }
  expect(csvRecord(row, { columns: ['amount', 'count', 'note', 'none'], money: ['amount'] })).toBe(
    "-5000.00,3,'-1,\r\n",
  )
})
