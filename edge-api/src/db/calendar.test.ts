import { expect, it } from 'vitest'
import { splitPeriod } from './calendar.ts'

const DAY = 86_400_000
const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
const formatRanges = (from?: string, to?: string) =>
  splitPeriod({ from, to }).map(range => `${range.unit} ${range.from} ${range.to}`)

it.each([
  [undefined, undefined, ['year 0000 9999']],
  ['2026-03-05', '2026-03-20', ['day 2026-03-05 2026-03-20']],
  ['2026-03-01', '2026-03-31', ['month 2026-03 2026-03']],
  ['2026-01-01', '2026-12-31', ['year 2026 2026']],
  [
    '2026-02-27',
    '2026-04-02',
    ['day 2026-02-27 2026-02-28', 'month 2026-03 2026-03', 'day 2026-04-01 2026-04-02'],
  ],
  ['2025-12-30', '2026-01-02', ['day 2025-12-30 2025-12-31', 'day 2026-01-01 2026-01-02']],
  ['2024-11-15', undefined, ['day 2024-11-15 2024-11-30', 'month 2024-12 2024-12', 'year 2025 9999']],
  [undefined, '2024-02-28', ['year 0000 2023', 'month 2024-01 2024-01', 'day 2024-02-01 2024-02-28']],
  ['2026-03-05', '2026-03-04', []],
])('splits the period from %s to %s into whole years, whole months and days', (from, to, ranges) => {
  expect(formatRanges(from, to)).toEqual(ranges)
})

it('covers every day of any period exactly once', () => {
  const start = Date.UTC(2023, 10, 20)
  for (let begin = 0; begin < 500; begin += 29) {
    for (let length = 1; length < 900; length += 11) {
      const days = Array.from({ length }, (_, day) => iso(start + (begin + day) * DAY))
      const ranges = splitPeriod({ from: days[0], to: days.at(-1) })
      expect(ranges.length).toBeLessThanOrEqual(5)
      const keyLength = { day: 10, month: 7, year: 4 }
      const periodsCovering = (day: string) =>
        ranges.filter(({ unit, from, to }) => {
          const period = day.slice(0, keyLength[unit])
          return from <= period && period <= to
        }).length
      const around = [iso(start + (begin - 1) * DAY), iso(start + (begin + length) * DAY)]
      expect([...new Set(days.map(periodsCovering)), ...around.map(periodsCovering)]).toEqual([1, 0, 0])
    }
  }
})
