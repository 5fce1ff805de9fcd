import { expect, test } from 'vitest'
import { isFiltered, readParams, toListQuery, writeParams } from './list-params.ts'

test('reads filters and page from the URL, and ignores invalid values', () => {
  const params = readParams(new URLSearchParams('search=kola&state=suspended&vetted=true&page=2'))
  expect(params).toEqual({ search: 'kola', state: 'suspended', vetted: 'true', page: 2 })
  expect(writeParams(params).toString()).toBe('search=kola&state=suspended&vetted=true&page=2')
  expect(toListQuery(params)).toEqual({ search: 'kola', state: 'suspended', vetted: 'true' })
  const defaults = readParams(new URLSearchParams('state=odd&vetted=perhaps&page=0'))
  expect([isFiltered(defaults), defaults.page, writeParams(defaults).toString()]).toEqual([false, 1, ''])
})
