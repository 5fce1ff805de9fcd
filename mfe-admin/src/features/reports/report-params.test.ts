import { describe, expect, it } from 'vitest'
import {
  initialParamsOf,
  isFiltered,
  omitEmpty,
  readReportParams,
  updateReportParams,
  writeReportParams,
} from './report-params.ts'

const now = Date.UTC(2026, 2, 31, 12)
const read = (queryString: string) => readReportParams(new URLSearchParams(queryString), now)
const roundTrip = (queryString: string) => writeReportParams(read(queryString), now).toString()

describe('URL parameters of the reports', () => {
  it('default to the overview of the last 30 days', { tags: ['STAFF-29'] }, () => {
    expect(read('')).toEqual({
      tab: 'overview',
      status: '',
      from: '2026-03-01',
      to: '2026-03-31',
      search: '',
      account: '',
      page: 1,
      transaction: '',
    })
    expect(roundTrip('')).toBe('')
    expect(roundTrip('from=2026-03-01&to=2026-03-31')).toBe('')
  })

  it('keep every filter, including cleared dates', () => {
    const queryString = 'tab=transactions&status=PAID&page=3&transaction=CVF1&from=2025-01-01&to='
    expect(roundTrip(queryString)).toBe(queryString)
    expect(read(queryString)).toMatchObject({ from: '2025-01-01', to: '', status: 'PAID', page: 3 })
  })

  it('default to all time for a search, refunds and the ledger', () => {
    for (const queryString of ['tab=transactions&search=CVFAB', 'tab=refunds', 'tab=ledger'])
      expect(read(queryString)).toMatchObject({ from: '', to: '' })
    expect(roundTrip('tab=transactions&search=CVFAB')).toBe('tab=transactions&search=CVFAB')
    expect(read('tab=transactions&search=CVFAB&from=2026-01-01')).toMatchObject({
      from: '2026-01-01',
      to: '',
    })
  })

  it('return to the default period when another parameter changes, unless a period was chosen', () => {
    const change = (queryString: string, overrides: Parameters<typeof updateReportParams>[1]) =>
      writeReportParams(updateReportParams(new URLSearchParams(queryString), overrides, now), now).toString()
    expect(change('tab=transactions&page=4', { search: 'CVFAB' })).toBe('tab=transactions&search=CVFAB')
    expect(change('tab=transactions&search=CVFAB', { search: '' })).toBe('tab=transactions')
    expect(change('tab=transactions&from=', { search: 'CVFAB' })).toBe('tab=transactions&search=CVFAB')
    expect(change('tab=transactions&from=2026-01-01', { search: 'X', page: 2 })).toBe(
      'tab=transactions&search=X&page=2&from=2026-01-01',
    )
    expect(change('tab=transactions&search=X', { from: '2026-01-01' })).toBe(
      'tab=transactions&search=X&from=2026-01-01',
    )
  })

  it('fall back to defaults for invalid values', () => {
    expect(read('tab=x&from=yesterday&page=-1')).toMatchObject({ tab: 'overview', from: '', page: 1 })
    expect(read('tab=refunds&status=PAID&account=cash')).toMatchObject({ status: '', account: '' })
  })

  it('report whether filters are set', () => {
    expect(isFiltered(initialParamsOf('authentications', now), now)).toBe(false)
    for (const change of [{ status: 'success' }, { from: '' }, { search: 'UG' }])
      expect(isFiltered({ ...initialParamsOf('authentications', now), ...change }, now)).toBe(true)
    expect(isFiltered({ ...initialParamsOf('ledger', now), page: 2 }, now)).toBe(false)
  })
})

it('leaves empty filters out of the request', () => {
  expect(omitEmpty({ status: '', date_from: '2026-01-01', search: ' x ' })).toEqual({
    date_from: '2026-01-01',
    search: 'x',
  })
})
