import type { adminAnalytics, PeriodAnalytics } from '@portal/contract/admin-analytics'
import type { CsvRow } from '@portal/contract/route'
import { isoDateDaysBefore, toIsoDate } from '@portal/format/dates'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import {
  buildSeries,
  computeGrowth,
  daysOf,
  figuresOf,
  periodBefore,
  toRankedRows,
  unitOf,
} from './period.ts'
import { analyticsOf, recentDays } from './rules.ts'
import { readDays, readFirstDay, readIntervals, readRanked, readTotals } from './store.ts'
import { system } from './system.ts'

type PeriodRoute = typeof adminAnalytics.period

/** Maximum number of names in a ranked list. */
const RANKED_NAMES = 10

async function readPeriodAnalytics({
  db: { read },
  ports,
  query,
}: Call<PeriodRoute>): Promise<PeriodAnalytics> {
  const today = isoDateDaysBefore(0, ports.clock.now())
  const earliest = (await readFirstDay(read)) ?? today
  const to = query.date_to ?? today
  // If `date_from` is missing, the period begins on the first day that has data, or on `to` if `to` is
  // before that day.
  const from = query.date_from ?? (earliest < to ? earliest : to)
  const period = { from, to }
  const unit = unitOf(period)
  const previous = periodBefore(period)
  const figures = figuresOf(await readTotals(read, period))
  const before = from > earliest ? { ...previous, ...figuresOf(await readTotals(read, previous)) } : null
  // Includes tomorrow, because another server's clock may be up to a day ahead of ours.
  const dataRange = { from: earliest, to: isoDateDaysBefore(-1, ports.clock.now()) }
  const readRanking = (kind: 'course' | 'organisation') =>
    readRanked(read, { kind, limit: RANKED_NAMES, dataRange, ...period })
  const courses = await readRanking('course')
  const organisations = await readRanking('organisation')
  return {
    ...period,
    days: daysOf(period),
    currency: 'NGN',
    figures,
    before,
    growth: computeGrowth(figures, before),
    unit,
    series: buildSeries(period, unit, await readIntervals(read, { ...period, unit })),
    courses: toRankedRows(courses, figures.successful),
    organisations: toRankedRows(organisations, figures.verifications),
  }
}

/** Fields of an export row; those that a section does not have stay null. */
const emptyRow = {
  name: null,
  successful: null,
  not_found: null,
  success_rate: null,
  revenue: null,
  users: null,
  certificates: null,
}
type Row = CsvRow<PeriodRoute>

/** Exports the whole screen as one file: the totals, intervals, courses and organisations. */
async function* exportPeriod(call: Call<PeriodRoute>): AsyncGenerator<Row[]> {
  const { from, to, figures, before, unit, series, courses, organisations } = await readPeriodAnalytics(call)
  const period = { ...emptyRow, from, to }
  yield [
    { ...period, section: 'period', ...figures },
    ...(before ? [{ ...emptyRow, section: 'period before', ...before }] : []),
    ...series.map(interval => ({ ...emptyRow, section: unit, ...interval })),
    ...courses.map(({ name, verifications }) => ({ ...period, section: 'course', name, verifications })),
    ...organisations.map(organisation => ({ ...period, section: 'organisation', ...organisation })),
  ]
}

export const analyticsHandlers: HandlersOf<typeof adminAnalytics> = {
  dashboard: async ({ db, ports }) => {
    const now = ports.clock.now()
    const [firstDay = ''] = recentDays(now)
    const today = toIsoDate(now)
    const totals = await readTotals(db.read)
    const month = await readTotals(db.read, { from: `${today.slice(0, 7)}-01`, to: today })
    const days = await readDays(db.read, { from: firstDay })
    return { analytics: analyticsOf(totals, month, days, now) }
  },
  period: withCsv(async call => ({ analytics: await readPeriodAnalytics(call) }), exportPeriod),
  system,
}
