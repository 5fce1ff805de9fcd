import { expect, test } from 'vitest'
import { isFiltered, readParams, writeParams } from './settlement-params.ts'

const read = (text: string) => readParams(new URLSearchParams(text))

test('shows open differences by default', () => {
  expect(read('')).toEqual({
    view: 'differences',
    state: 'open',
    kind: '',
    search: '',
    from: '',
    to: '',
    page: 1,
    settlement: '',
  })
  expect(isFiltered(read(''))).toBe(false)
})

test.each([
  'view=settlements&from=2026-01-01&page=2',
  'state=all&kind=fee_differs&search=CV1',
  'view=settlements&settlement=a1',
])('%s is the same after parsing and serialising', text => {
  expect(String(writeParams(read(text)))).toBe(text)
})

test('ignores invalid filters', () => {
  expect(read('state=lost&kind=lost&from=today&page=-1')).toEqual(read(''))
})
