import { type Analytics, RECENT_DAYS } from '@portal/contract/admin-analytics'
import { isoDateDaysBefore } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { CURRENCY } from '../settings/rules.ts'
import type { Counters, DayCounters } from './store.ts'

/** Returns the UTC days that count as recent, oldest first, ending with today. */
export const recentDays = (now: number): string[] =>
  Array.from({ length: RECENT_DAYS }, (_, daysAgo) => isoDateDaysBefore(RECENT_DAYS - 1 - daysAgo, now))

/**
 * Returns the figures of the dashboard.
 * @param month counters of the month so far
 * @param days counters of the recent days; a day without any may be omitted
 */
export function analyticsOf(
  totals: Counters,
  month: Counters,
  days: readonly DayCounters[],
  now: number,
): Analytics {
  const byDay = new Map(days.map(day => [day.day, day]))
  const recent = recentDays(now).map(day => ({ day, counters: byDay.get(day) }))
  const sum = (key: keyof Counters) =>
    recent.reduce((total, { counters }) => total + (counters?.[key] ?? 0), 0)
  return {
    total_users: totals.users,
    recent_users: sum('users'),
    total_certificates: totals.certificates,
    recent_certificates: sum('certificates'),
    total_authentications: totals.verifications,
    recent_authentications: sum('verifications'),
    total_revenue: toMajor(totals.revenueMinor),
    recent_revenue: toMajor(sum('revenueMinor')),
    this_month: {
      users: month.users,
      certificates: month.certificates,
      authentications: month.verifications,
      revenue: toMajor(month.revenueMinor),
    },
    currency: CURRENCY,
    success_rate: percentOf(totals.successful, totals.verifications),
    daily: recent.map(({ day, counters }) => ({
      date: day,
      verifications: counters?.verifications ?? 0,
      successful: counters?.successful ?? 0,
      not_found: counters?.notFound ?? 0,
      revenue: toMajor(counters?.revenueMinor ?? 0),
    })),
  }
}
