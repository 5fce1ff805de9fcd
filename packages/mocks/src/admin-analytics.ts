import {
  type PeriodFigures,
  type PeriodUnit,
  RECENT_DAYS,
  type adminAnalytics as routes,
} from '@portal/contract/admin-analytics'
import { isoDateDaysBefore, toIsoDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { companyName } from '@portal/format/text'
import { CURRENCY } from './currency.ts'
import { earnedMinor } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockPayment, MockState } from './state.ts'

const DAY_MS = 86_400_000
const roundToOneDecimal = (value: number) => Math.round(value * 10) / 10
const RANKING_LENGTH = 10

/** Returns the totals of a period, including its first and last day. */
function figuresOf(state: MockState, from: string, to: string): PeriodFigures {
  const isInPeriod = (at: string | null) => at !== null && at.slice(0, 10) >= from && at.slice(0, 10) <= to
  const paid = listPaidPayments(state).filter(item => isInPeriod(item.ended_at))
  const successful = paid.filter(item => item.certificate !== null).length
  return {
    verifications: paid.length,
    successful,
    not_found: paid.length - successful,
    revenue: toMajor(earnedMinor(paid)),
    success_rate: paid.length === 0 ? null : percentOf(successful, paid.length),
    users: state.users.filter(user => isInPeriod(user.created_at)).length,
    certificates: state.certificates.filter(certificate => isInPeriod(certificate.uploaded_at)).length,
  }
}

/** Splits a period into days, weeks starting on Monday, or months. */
function splitIntoIntervals(from: string, to: string, unit: PeriodUnit): { from: string; to: string }[] {
  const lastDayOfInterval = (day: number) => {
    if (unit === 'day') return day
    const date = new Date(day)
    if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
    return day + ((7 - date.getUTCDay()) % 7) * DAY_MS
  }
  const intervals: { from: string; to: string }[] = []
  for (let start = Date.parse(from); start <= Date.parse(to); start = lastDayOfInterval(start) + DAY_MS)
    intervals.push({
      from: toIsoDate(start),
      to: toIsoDate(Math.min(lastDayOfInterval(start), Date.parse(to))),
    })
  return intervals
}

const growthPercent = (current: number, previous: number | undefined) =>
  previous === undefined || previous <= 0 ? null : roundToOneDecimal(((current - previous) / previous) * 100)

const listPaidPayments = (state: MockState) =>
  state.payments.filter(payment => payment.status === 'paid' && payment.ended_at !== null)

/** Returns the most frequent names with their counts. */
function rankPayments(payments: readonly MockPayment[], nameOf: (payment: MockPayment) => string) {
  const byName = new Map<string, MockPayment[]>()
  for (const item of payments) byName.set(nameOf(item), [...(byName.get(nameOf(item)) ?? []), item])
  return [...byName]
    .map(([name, rows]) => ({
      name,
      verifications: rows.length,
      successful: rows.filter(row => row.certificate !== null).length,
      revenue: toMajor(earnedMinor(rows)),
      share: percentOf(rows.length, payments.length),
    }))
    .sort((a, b) => b.verifications - a.verifications || a.name.localeCompare(b.name))
    .slice(0, RANKING_LENGTH)
}

function periodAnalytics(
  state: MockState,
  period: { date_from?: string | undefined; date_to?: string | undefined },
  now: Date,
) {
  const today = toIsoDate(now.getTime())
  const earliestTimestamp = [...state.users.map(user => user.created_at), today].sort()[0] ?? today
  const earliestDay = earliestTimestamp.slice(0, 10)
  const to = period.date_to ?? today
  const from = period.date_from ?? (earliestDay < to ? earliestDay : to)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const unit: PeriodUnit = days <= 92 ? 'day' : days <= 731 ? 'week' : 'month'
  const figures = figuresOf(state, from, to)
  const previousPeriod = {
    from: toIsoDate(Date.parse(from) - days * DAY_MS),
    to: toIsoDate(Date.parse(from) - DAY_MS),
  }
  const before =
    from > earliestDay
      ? { ...previousPeriod, ...figuresOf(state, previousPeriod.from, previousPeriod.to) }
      : null
  const paid = listPaidPayments(state).filter(item => {
    const day = item.ended_at?.slice(0, 10) ?? ''
    return day >= from && day <= to
  })
  const companyOf = (payment: MockPayment) =>
    companyName(state.users.find(user => user.id === payment.user_id)?.address ?? '')
  const found = paid.filter(item => item.certificate !== null)
  return {
    from,
    to,
    days,
    currency: CURRENCY,
    figures,
    before,
    growth: {
      verifications: growthPercent(figures.verifications, before?.verifications),
      revenue: growthPercent(figures.revenue, before?.revenue),
      users: growthPercent(figures.users, before?.users),
      certificates: growthPercent(figures.certificates, before?.certificates),
      success_rate:
        figures.success_rate === null || (before?.success_rate ?? null) === null
          ? null
          : roundToOneDecimal(figures.success_rate - (before?.success_rate ?? 0)),
    },
    unit,
    series: splitIntoIntervals(from, to, unit).map(interval => ({
      ...interval,
      ...figuresOf(state, interval.from, interval.to),
    })),
    courses: rankPayments(found, item => item.certificate?.course ?? ''),
    organisations: rankPayments(paid, companyOf),
  }
}

export const adminAnalytics: HandlersOf<typeof routes> = {
  period: ({ state, query, now }) => ({ analytics: periodAnalytics(state, query, now) }),
  // The mocks have no disk of which they could report the usage.
  system: () => ({
    storage: { status: 'unknown', database_bytes: null, free_bytes: null, used_percent: null },
    front_ends: [],
    releases_damage: null,
  }),
  dashboard({ state, now }) {
    const days = Array.from({ length: RECENT_DAYS }, (_, index) =>
      isoDateDaysBefore(RECENT_DAYS - 1 - index, now),
    )
    const [firstDay = ''] = days
    const paid = listPaidPayments(state)
    const rowsSince = <Row>(rows: readonly Row[], dateOf: (row: Row) => string | null, day = firstDay) =>
      rows.filter(row => (dateOf(row) ?? '') >= day)
    const month = `${toIsoDate(now).slice(0, 7)}-01`
    const paidThisMonth = rowsSince(paid, item => item.ended_at, month)
    const revenueOf = (rows: typeof paid) => toMajor(earnedMinor(rows))
    const countSuccessful = (rows: typeof paid) => rows.filter(row => row.certificate !== null).length
    const recent = rowsSince(paid, item => item.ended_at)
    return {
      analytics: {
        total_users: state.users.length,
        recent_users: rowsSince(state.users, item => item.created_at).length,
        total_certificates: state.certificates.length,
        recent_certificates: rowsSince(state.certificates, item => item.uploaded_at).length,
        total_authentications: paid.length,
        recent_authentications: recent.length,
        total_revenue: revenueOf(paid),
        recent_revenue: revenueOf(recent),
        this_month: {
          users: rowsSince(state.users, item => item.created_at, month).length,
          certificates: rowsSince(state.certificates, item => item.uploaded_at, month).length,
          authentications: paidThisMonth.length,
          revenue: revenueOf(paidThisMonth),
        },
        currency: CURRENCY,
        success_rate: percentOf(countSuccessful(paid), paid.length),
        daily: days.map(date => {
          const rows = recent.filter(item => item.ended_at?.startsWith(date))
          return {
            date,
            verifications: rows.length,
            successful: countSuccessful(rows),
            not_found: rows.length - countSuccessful(rows),
            revenue: revenueOf(rows),
          }
        }),
      },
    }
  },
}
