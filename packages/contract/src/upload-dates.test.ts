import { describe, expect, test } from 'vitest'
import { DateOrderEvidence, dateProblem, readDate } from './upload-dates.ts'

describe('a date', () => {
  test.each([
    ['03/04/2019', '2019-04-03', '2019-03-04'],
    ['07/25/2019', undefined, '2019-07-25'],
    ['25.07.2019', '2019-07-25', undefined],
    ['2019-07-25', '2019-07-25', '2019-07-25'],
    ['2019/07/25', '2019-07-25', '2019-07-25'],
    ['25 Jul 2019', '2019-07-25', '2019-07-25'],
    ['5/7/2019 00:00', '2019-07-05', '2019-05-07'],
    ['5/7/2019 12:00:00 AM', '2019-07-05', '2019-05-07'],
  ])('%s is %s with the day first, %s with the month first', (text, dmy, mdy) => {
    expect([readDate(text, 'dmy'), readDate(text, 'mdy')]).toEqual([dmy, mdy])
  })

  test.each([
    ['43671', /how a spreadsheet stores a date/],
    ['07/07/19', /four digits/],
    ['7-Jul-19', /four digits/],
    ['2019-07-06T23:00:00Z', /leave the time out/],
    ['31/02/2019', /^There is no such day as 31\/02\/2019\./],
    ['2019-02-30', /no such day/],
    ['31 Apr 2019', /no such day/],
    ['31 Foo 2019', /as YYYY-MM-DD/],
    ['07/25/2019', /has the month first, please choose that date order/],
    ['soon', /YYYY-MM-DD, DD\/MM\/YYYY or D MMM YYYY/],
  ])('%s is rejected, with the reason %s', (text, reason) => {
    expect(readDate(text)).toBeUndefined()
    expect(dateProblem(text, 'dmy')).toMatch(reason)
  })
})

describe('the date order of a file', () => {
  const evidenceOf = (...dates: string[]) => {
    const evidence = new DateOrderEvidence()
    dates.forEach((text, index) => {
      evidence.add(text, index + 2)
    })
    return evidence
  }

  test.each([
    [['25/07/2019', '07/26/2019'], /row 2 has the day first \(25\/07\/2019\), row 3 has the month first/],
    [['07-26-2019', 'x', '25.07.2019'], /row 2 has the month first .*, row 4 has the day first/],
    [
      ['03/04/2019', '07/26/2019'],
      /row 2 can be read in two ways \(03\/04\/2019\), row 3 has the month first/,
    ],
  ])('has to be chosen if the dates are %j', (dates, message) => {
    expect(evidenceOf(...dates).describeConflict('dmy')).toMatch(message)
  })

  test.each([
    [['25/07/2019', '03/04/2019', '2019-07-25']],
    // In the next two cases, an invalid date fails only its own row; the order of the other rows is clear.
    [['07/26/2019', '05/05/2019', '2019-07-25']],
    [['03/04/2019', '25 Jul 2019', '13/13/2019']],
  ])('need not be chosen if the dates are %j', dates =>
    expect(evidenceOf(...dates).describeConflict('dmy')).toBeUndefined(),
  )
})
