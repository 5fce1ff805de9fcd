import { describe, expect, it } from 'vitest'
import { readListParams, writeListParams } from './list-params.ts'

describe('URL parameters of the certificate list', () => {
  it.each([
    ['', { search: '', page: 1 }],
    ['search=UG%2F2019&page=3', { search: 'UG/2019', page: 3 }],
    ['page=0', { search: '', page: 1 }],
    ['page=-2', { search: '', page: 1 }],
    ['page=two&search=law', { search: 'law', page: 1 }],
    ['page=1.5', { search: '', page: 1 }],
  ])('parses %j', (address, expected) => {
    expect(readListParams(new URLSearchParams(address))).toEqual(expected)
  })

  it('round-trips, leaving out defaults', () => {
    expect(writeListParams({ search: '', page: 1 }).toString()).toBe('')
    const kept = { search: 'Adébáyọ̀ & sons', page: 7 }
    expect(readListParams(writeListParams(kept))).toEqual(kept)
  })
})
