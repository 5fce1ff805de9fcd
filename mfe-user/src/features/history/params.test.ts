import { expect, test } from 'vitest'
import { defaultParams, isFiltered, readParams, toQuery, writeParams } from './params.ts'

const read = (text: string) => readParams(new URLSearchParams(text))

test.each([
  ['', 1],
  ['page=3', 3],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=1e3', 1],
  ['page=abc', 1],
])('reads the page of %j as %i', (text, page) => {
  expect(read(text).page).toBe(page)
})

test('keeps filters in the URL, and drops invalid values', () => {
  const text =
    'search=Ad%C3%A9b%C3%A1y%C3%B2&outcome=not_paid&from=2026-01-01&to=2026-01-31&sort=created_at&page=2'
  expect(read(writeParams(read(text)).toString())).toEqual({
    search: 'Adébáyò',
    outcome: 'not_paid',
    from: '2026-01-01',
    to: '2026-01-31',
    sort: 'created_at',
    page: 2,
  })
  expect(read('outcome=lost&from=today&sort=grade')).toEqual(defaultParams)
  expect(writeParams(defaultParams).toString()).toBe('')
})

test('sends no query parameters if there are no filters, as in the specification', () => {
  expect(toQuery(defaultParams)).toEqual({})
  expect(toQuery(read('outcome=success&from=2026-01-01'))).toEqual({
    outcome: 'success',
    date_from: '2026-01-01',
  })
  expect([
    isFiltered(defaultParams),
    isFiltered(read('sort=created_at')),
    isFiltered(read('to=2026-01-01')),
  ]).toEqual([false, false, true])
})
