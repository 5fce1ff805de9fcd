import type { PeriodAnalytics, PeriodFigures, PeriodUnit } from '@portal/contract/admin-analytics'
import { toIsoDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import type { Counters, DayCounters, Period, Ranked } from './store.ts'

const DAY = 86_400_000
/** Maximum number of days that charts show by day and by week. Longer periods are shown by month. */
const MAX_DAYS_BY_DAY = 92
const MAX_DAYS_BY_WEEK = 731

const roundToOneDecimal = (value: number) => Math.round(value * 10) / 10

/** Number of days in a period, including its first and last day. */
export const daysOf = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY + 1

/** Returns the period of the same length that ends the day before this one begins. */
export function periodBefore(period: Period): Period {
  const lastDay = Date.parse(period.from) - DAY
  return { from: toIsoDate(lastDay - (daysOf(period) - 1) * DAY), to: toIsoDate(lastDay) }
}

export function unitOf(period: Period): PeriodUnit {
  const days = daysOf(period)
  if (days <= MAX_DAYS_BY_DAY) return 'day'
  return days <= MAX_DAYS_BY_WEEK ? 'week' : 'month'
}

/** Returns the first day of the interval after the one that starts on `intervalStart`. */
function startOfNextInterval(intervalStart: number, unit: PeriodUnit): number {
  if (unit === 'day') return intervalStart + DAY
  if (unit === 'week') return intervalStart + 7 * DAY
  const date = new Date(intervalStart)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Returns the first day of the interval that contains `day`: the day itself, its Monday, or the first of its month. */
function startOfInterval(day: number, unit: PeriodUnit): number {
  if (unit === 'day') return day
  const date = new Date(day)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return day - ((date.getUTCDay() + 6) % 7) * DAY
}

const noCounters: Counters = {
  users: 0,
  certificates: 0,
  verifications: 0,
  successful: 0,
  notFound: 0,
  revenueMinor: 0,
}

export const figuresOf = (counters: Counters): PeriodFigures => ({
  verifications: counters.verifications,
  successful: counters.successful,
  not_found: counters.notFound,
  revenue: toMajor(counters.revenueMinor),
  success_rate: counters.verifications === 0 ? null : percentOf(counters.successful, counters.verifications),
  users: counters.users,
  certificates: counters.certificates,
})

/**
 * Returns every interval of a period, with zeros for intervals without counters. The first and last intervals are cut off where
 * the period begins and ends.
 */
export function buildSeries(
  period: Period,
  unit: PeriodUnit,
  countersPerInterval: readonly DayCounters[],
): PeriodAnalytics['series'] {
  const countersByStart = new Map(countersPerInterval.map(counters => [counters.day, counters]))
  const start = Date.parse(period.from)
  const end = Date.parse(period.to)
  const series: PeriodAnalytics['series'] = []
  for (
    let intervalStart = startOfInterval(start, unit);
    intervalStart <= end;
    intervalStart = startOfNextInterval(intervalStart, unit)
  ) {
    series.push({
      from: toIsoDate(Math.max(intervalStart, start)),
      to: toIsoDate(Math.min(startOfNextInterval(intervalStart, unit) - DAY, end)),
      ...figuresOf(countersByStart.get(toIsoDate(intervalStart)) ?? noCounters),
    })
  }
  return series
}

const growthPercent = (current: number, previous: number | undefined) =>
  previous === undefined || previous <= 0 ? null : roundToOneDecimal(((current - previous) / previous) * 100)

/** Returns the changes compared with the previous period. */
export function computeGrowth(
  current: PeriodFigures,
  previous: PeriodFigures | null,
): PeriodAnalytics['growth'] {
  const rate = current.success_rate
  const rateBefore = previous?.success_rate ?? null
  return {
    verifications: growthPercent(current.verifications, previous?.verifications),
    revenue: growthPercent(current.revenue, previous?.revenue),
    users: growthPercent(current.users, previous?.users),
    certificates: growthPercent(current.certificates, previous?.certificates),
    success_rate: rate === null || rateBefore === null ? null : roundToOneDecimal(rate - rateBefore),
  }
}

/** Converts ranked rows to the response, in which each entry has its share of the total. */
export const toRankedRows = (rows: readonly Ranked[], total: number) =>
  rows.map(({ name, verifications, successful, revenueMinor }) => ({
    name,
    verifications,
    successful,
    revenue: toMajor(revenueMinor),
    share: percentOf(verifications, total),
  }))
