import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { graduationDate } from './fields.ts'
import { institutionDay } from './graduation-date.ts'

const firstMessage = (value: unknown) => graduationDate().safeParse(value).error?.issues[0]?.message
const OUT_OF_RANGE_MESSAGE = 'Please enter a graduation date between January 1, 1900 and today.'

describe('a graduation date', () => {
  // 00:30 on 24 November in Lagos, but still 23 November in UTC.
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T23:30:00Z') }))
  afterEach(() => void vi.useRealTimers())

  test.each(['1900-01-01', '1964-02-29', '2026-11-23', '2026-11-24'])('accepts %s', value =>
    expect(graduationDate().parse(value)).toBe(value),
  )

  test.each(['0001-01-01', '0019-07-15', '1899-12-31', '2026-11-25', '2099-01-01', '9999-12-31'])(
    'rejects %s',
    value => expect(firstMessage(value)).toBe(OUT_OF_RANGE_MESSAGE),
  )

  test('is required and must be an existing date', () => {
    expect(firstMessage('')).toBe('Graduation date is required')
    expect(firstMessage('2019-02-30')).toBe('Please enter a date as YYYY-MM-DD.')
  })

  test('is compared with today’s date, which changes at midnight in the institution’s time zone', () => {
    expect(institutionDay(Date.parse('2026-11-23T22:59:59Z'))).toBe('2026-11-23')
    expect(institutionDay(Date.parse('2026-11-23T23:00:00Z'))).toBe('2026-11-24')
  })
})
