import { describe, expect, it } from 'vitest'
import { countFilters, noFilters, readListParams, toListQuery, writeListParams } from './list-params.ts'

const defaults = { search: '', page: 1, state: 'current', sort: '-uploaded_at', filters: noFilters } as const

describe('URL parameters of the certificate list', () => {
  it.each([
    ['', {}],
    ['search=UG%2F2019&page=3', { search: 'UG/2019', page: 3 }],
    ['page=0', {}],
    ['page=-2', {}],
    ['page=two&search=law', { search: 'law' }],
    ['page=1.5', {}],
    ['state=deleted&sort=-student_name', { state: 'deleted', sort: '-student_name' }],
    ['state=lost&sort=colour', {}],
    ['grade=Pass&letters=with', { filters: { ...noFilters, grade: 'Pass', letters: 'with' } }],
  ])('are parsed from %j', (queryString, expected) => {
    expect(readListParams(new URLSearchParams(queryString))).toEqual({ ...defaults, ...expected })
  })

  it('are the same after parsing and serialising, which leaves out defaults', () => {
    expect(writeListParams(defaults).toString()).toBe('')
    const params = {
      search: 'Adébáyọ̀ & sons',
      page: 7,
      state: 'deleted',
      sort: 'graduation_date',
      filters: { ...noFilters, department: 'Law, Ethics', graduated_from: '2019-01-01' },
    } as const
    expect(readListParams(writeListParams(params))).toEqual(params)
    expect(countFilters(params.filters)).toBe(2)
    expect(toListQuery(params)).toEqual({
      search: params.search,
      state: 'deleted',
      sort: 'graduation_date',
      department: 'Law, Ethics',
      graduated_from: '2019-01-01',
    })
  })
})
