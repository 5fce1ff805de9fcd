import { expect, test } from 'vitest'
import { parseChoice, parseDay, readPage, toSearchParams } from './params.ts'

test.each([
  ['', 1],
  ['page=7', 7],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=1.5', 1],
  ['page=1e3', 1],
  ['page=12345678', 1],
])('reads the page number in "%s" as %i', (query, page) => {
  expect(readPage(new URLSearchParams(query))).toBe(page)
})

test('reads invalid choices and days as empty', () => {
  expect(parseChoice(['open', 'closed'], 'closed')).toBe('closed')
  expect([parseChoice(['open'], 'OPEN'), parseChoice(['open'], null)]).toEqual(['', ''])
  expect(parseDay('2026-02-28')).toBe('2026-02-28')
  expect([parseDay('2026-13-01'), parseDay('28/02/2026'), parseDay(null)]).toEqual(['', '', ''])
})

test('leaves out values that equal their defaults', () => {
  expect(String(toSearchParams({ search: '', state: 'open', page: 1 }))).toBe('state=open')
  expect(String(toSearchParams({ state: 'open', sort: 'name', page: 3 }, { state: 'open' }))).toBe(
    'sort=name&page=3',
  )
  expect(String(toSearchParams({ state: '', page: 1 }, { state: 'open' }))).toBe('state=')
})
