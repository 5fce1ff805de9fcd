import { expect, test } from 'vitest'
import { dayOf, oneOf, pageOf, paramsOf } from './params.ts'

test.each([
  ['', 1],
  ['page=7', 7],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=1.5', 1],
  ['page=1e3', 1],
  ['page=12345678', 1],
])('reads the page number in "%s" as %i', (query, page) => {
  expect(pageOf(new URLSearchParams(query))).toBe(page)
})

test('reads invalid choices and days as empty', () => {
  expect(oneOf(['open', 'closed'], 'closed')).toBe('closed')
  expect([oneOf(['open'], 'OPEN'), oneOf(['open'], null)]).toEqual(['', ''])
  expect(dayOf('2026-02-28')).toBe('2026-02-28')
  expect([dayOf('2026-13-01'), dayOf('28/02/2026'), dayOf(null)]).toEqual(['', '', ''])
})

test('leaves out values that equal their defaults', () => {
  expect(String(paramsOf({ search: '', state: 'open', page: 1 }))).toBe('state=open')
  expect(String(paramsOf({ state: 'open', sort: 'name', page: 3 }, { state: 'open' }))).toBe(
    'sort=name&page=3',
  )
  expect(String(paramsOf({ state: '', page: 1 }, { state: 'open' }))).toBe('state=')
})
