import { expect, it } from 'vitest'
import { readPeriod, toPeriodQuery, writePeriod } from './period-params.ts'

const now = Date.UTC(2026, 2, 15, 23)

it.each([
  ['', { date_from: '2026-02-14' }],
  ['period=7', { date_from: '2026-03-09' }],
  ['period=year', { date_from: '2025-03-16' }],
  ['period=all', {}],
  ['period=nonsense', { date_from: '2026-02-14' }],
  ['from=2026-01-01&to=2026-01-31', { date_from: '2026-01-01', date_to: '2026-01-31' }],
  ['from=2026-01-01&period=7', { date_from: '2026-01-01' }],
  ['from=2026-13-01&to=2026-01-31', { date_to: '2026-01-31' }],
  ['from=tomorrow', { date_from: '2026-02-14' }],
])('?%s is parsed as %j', { tags: ['STAFF-17'] }, (queryString, query) => {
  expect(toPeriodQuery(readPeriod(new URLSearchParams(queryString)), now)).toEqual(query)
})

it.each(['', 'period=90', 'period=all', 'from=2026-01-01&to=2026-01-31', 'to=2026-01-31'])(
  '?%s is the same after parsing and serialising',
  queryString => {
    expect(writePeriod(readPeriod(new URLSearchParams(queryString))).toString()).toBe(queryString)
  },
)
