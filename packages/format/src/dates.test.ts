import { expect, test } from 'vitest'
import {
  formatDateTime,
  formatDeadline,
  formatDuration,
  formatExactTime,
  formatLongDate,
  formatRelativeTime,
  formatShortDate,
  formatTime,
  INSTITUTION_ZONE,
  isoDateDaysBefore,
  toIsoDate,
} from './dates.ts'
import { LOCALE } from './locale.ts'

test('formats a date without a time', { tags: ['SPEC-9.8'] }, () => {
  expect(formatLongDate('2026-01-31')).toBe('January 31, 2026')
  expect(formatShortDate('2026-01-31')).toBe('Jan 31, 2026')
  expect(formatDateTime('2026-07-01')).toBe('Jul 1, 2026')
})

test('formats a timestamp in the institution’s time zone and, with a time of day, names the zone', {
  tags: ['DATA-24', 'SPEC-9.8'],
}, () => {
  const at = '2026-01-31T23:30:09Z'
  expect(formatLongDate(at)).toBe('February 1, 2026')
  expect(formatShortDate(at)).toBe('Feb 1, 2026')
  expect(formatDateTime(at)).toBe('Feb 1, 2026, 12:30 AM WAT')
  expect(formatTime(at)).toBe('12:30:09 AM WAT')
  expect(formatExactTime(at)).toBe('February 1, 2026, 12:30:09 AM WAT')
  expect(formatDeadline(at)).toBe('12:30 AM WAT')
})

test('formats every month and hour as Intl does', { tags: ['DATA-24'] }, () => {
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const formatWithIntl = (options: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: INSTITUTION_ZONE })
      .format(at)
      .replaceAll('\u202f', ' ')
      .replace(' at ', ', ')
      .replace('GMT+1', 'WAT')
  const zoneOptions = { timeZone: INSTITUTION_ZONE, timeZoneName: 'short' } as const
  expect(new Intl.DateTimeFormat('en-NG', zoneOptions).format(0)).toMatch(/ WAT$/)
  // 500 steps of about 17 hours cover every month and every hour.
  for (let step = 0; step < 500; step++) {
    const at = Date.UTC(2026, 0, 1) + step * 61_003_000
    expect(formatLongDate(at)).toBe(formatWithIntl({ ...day, month: 'long' }, at))
    expect(formatShortDate(at)).toBe(formatWithIntl(day, at))
    expect(formatDateTime(at)).toBe(formatWithIntl({ ...day, ...time }, at))
    expect(formatTime(at)).toBe(formatWithIntl({ ...time, second: '2-digit' }, at))
    expect(formatExactTime(at)).toBe(
      formatWithIntl({ ...day, ...time, month: 'long', second: '2-digit' }, at),
    )
    expect(formatDeadline(at)).toBe(formatWithIntl(time, at))
  }
})

test('returns text that is not a date unchanged, except that toIsoDate throws', () => {
  for (const format of [formatLongDate, formatShortDate, formatDateTime, formatTime, formatDeadline])
    expect(format('soon')).toBe('soon')
  expect(formatRelativeTime('soon')).toBe('soon')
  expect(() => toIsoDate('soon')).toThrow(RangeError)
})

const now = '2026-01-31T12:00:00Z'
test.each([
  ['2026-01-31T12:00:05Z', 'just now'],
  ['2026-01-31T11:59:01Z', 'just now'],
  ['2026-01-31T11:59:00Z', '1m ago'],
  ['2026-01-31T11:00:01Z', '59m ago'],
  ['2026-01-31T11:00:00Z', '1h ago'],
  ['2026-01-30T12:00:01Z', '23h ago'],
  ['2026-01-30T12:00:00Z', '1d ago'],
  ['2026-01-24T12:00:01Z', '6d ago'],
  ['2026-01-24T12:00:00Z', 'Jan 24, 2026'],
])('at noon on 31 January 2026, formats %s as %s', { tags: ['SPEC-9.10'] }, (at, text) => {
  expect(formatRelativeTime(at, now)).toBe(text)
})

test('returns UTC days as YYYY-MM-DD', () => {
  expect(toIsoDate('2026-01-31T23:59:59Z')).toBe('2026-01-31')
  expect(isoDateDaysBefore(30, now)).toBe('2026-01-01')
})

test.each([
  [-5, '0s'],
  [8_000, '8s'],
  [65_000, '1m 05s'],
  [7_800_000, '2h 10m'],
])('formats %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
