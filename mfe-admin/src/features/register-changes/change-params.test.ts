import { describe, expect, it } from 'vitest'
import { isFiltered, noFilters, readChangeParams, toChangeQuery, writeChangeParams } from './change-params.ts'

describe('URL parameters of register changes', () => {
  it('are the same after parsing and serialising, which leaves out defaults', () => {
    expect(writeChangeParams(noFilters).toString()).toBe('')
    const params = {
      search: 'UG/2019',
      actor: 'someone',
      action: 'updated',
      source: 'bulk_edit',
      from: '2026-01-01',
      to: '2026-01-31',
      page: 3,
    } as const
    expect(readChangeParams(writeChangeParams(params))).toEqual(params)
    expect(isFiltered(params)).toBe(true)
    expect(isFiltered({ ...noFilters, page: 2 })).toBe(false)
  })

  it('fall back to defaults for invalid values', () => {
    expect(readChangeParams(new URLSearchParams('action=x&source=y&from=soon&to=2026-13-01&page=0'))).toEqual(
      noFilters,
    )
  })

  it('are sent without surrounding spaces, and without an empty action or source', () => {
    expect(toChangeQuery({ ...noFilters, action: 'deleted', search: ' ug ' })).toEqual({
      search: 'ug',
      actor: '',
      action: 'deleted',
      date_from: '',
      date_to: '',
    })
  })
})
