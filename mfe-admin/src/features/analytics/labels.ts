import type { IntervalFigures, PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatShortDate } from '@portal/format/dates'
import { formatFixedPercent } from '@portal/format/numbers'

const omitYear = (date: string) => formatShortDate(date).replace(/, \d{4}$/, '')
const formatMonth = (date: string) => formatShortDate(date).replace(/ \d+,/, '')

/** Formats a date range as `Mar 2 to Mar 8, 2026`; a single day is shown once. */
export function formatSpan({ from, to }: { from: string; to: string }): string {
  if (from === to) return formatShortDate(from)
  const start = from.slice(0, 4) === to.slice(0, 4) ? omitYear(from) : formatShortDate(from)
  return `${start} to ${formatShortDate(to)}`
}

/** Returns the labels of a chart interval: one for the table, and a shorter one for the axis. */
export const intervalLabels: Record<
  PeriodAnalytics['unit'],
  (interval: IntervalFigures) => [string, string]
> = {
  day: interval => [formatShortDate(interval.from), omitYear(interval.from)],
  week: interval => [formatSpan(interval), formatShortDate(interval.from)],
  month: interval => [formatMonth(interval.from), formatMonth(interval.from)],
}

export const unitTitle = { day: 'Day', week: 'Week', month: 'Month' } as const

/** Formats growth as `+12.5%` or `−3.0%`; undefined if there is no previous value. */
export function formatGrowth(growth: number | null): string | undefined {
  if (growth === null) return undefined
  const amount = formatFixedPercent(Math.abs(growth))
  if (growth === 0) return amount
  return `${growth > 0 ? '+' : '−'}${amount}`
}
