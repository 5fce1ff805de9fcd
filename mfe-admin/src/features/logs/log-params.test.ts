import { describe, expect, it } from 'vitest'
import { isFiltered, readLogParams, toFilterQuery, writeLogParams } from './log-params.ts'

const read = (queryString: string) => readLogParams(new URLSearchParams(queryString))
const noFilters = { userId: '', type: '', from: '', to: '', search: '', page: 1 } as const

describe('URL parameters of the log', () => {
  it('are empty without filters', () => {
    expect(read('')).toEqual(noFilters)
    expect(writeLogParams(noFilters).toString()).toBe('')
    expect(isFiltered(noFilters)).toBe(false)
  })

  it('keep every filter', () => {
    const params = {
      userId: 'u1',
      type: 'payment',
      from: '2026-01-01',
      to: '2026-01-31',
      search: 'a & b',
      page: 3,
    } as const
    expect(readLogParams(writeLogParams(params))).toEqual(params)
    expect(isFiltered(params)).toBe(true)
  })

  it('fall back to defaults for invalid values', () => {
    expect(read('type=x&from=yesterday&to=2026-13-40&page=-1')).toEqual(noFilters)
  })
})

describe('toFilterQuery', () => {
  it('leaves out empty filters', { tags: ['STAFF-16'] }, () => {
    expect(toFilterQuery({ ...noFilters, search: '  ' }, false)).toEqual({})
    expect(toFilterQuery(noFilters, true)).toEqual({ admin_view: 'true' })
    expect(toFilterQuery({ ...noFilters, type: 'user', from: '2026-01-01', search: ' x ' }, false)).toEqual({
      activity_type: 'user',
      date_from: '2026-01-01',
      search: 'x',
    })
  })
})
