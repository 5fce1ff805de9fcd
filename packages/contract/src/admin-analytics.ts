import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { filter, money } from './shapes.ts'

/** Figures for one UTC day. `verifications` counts paid verifications, each of which is `successful` or `not_found`. */
export const dailyFigures = z.object({
  date: z.string(),
  verifications: z.int(),
  successful: z.int(),
  not_found: z.int(),
  revenue: money,
})

/** Days covered by `recent_*` and the daily series, including today. */
export const RECENT_DAYS = 30

export const analytics = z.object({
  total_users: z.int(),
  recent_users: z.int(),
  total_certificates: z.int(),
  recent_certificates: z.int(),
  /** Paid verifications, whether or not a certificate was found. */
  total_authentications: z.int(),
  recent_authentications: z.int(),
  /** Net of reversals, as are the other revenue figures. */
  total_revenue: money,
  recent_revenue: money,
  this_month: z
    .object({ users: z.int(), certificates: z.int(), authentications: z.int(), revenue: money })
    .describe('Since the first of the month (UTC).'),
  currency: z.string(),
  /** Percentage of paid verifications that found a certificate, to one decimal place; 0 if there are no verifications. */
  success_rate: z.number(),
  /** The last 30 days, oldest first, including days without verifications. */
  daily: z.array(dailyFigures),
})
export type Analytics = z.infer<typeof analytics>

/** Maximum length of a period in days: about fifty years. */
const MAX_DAYS = 18_300
const DAY_MS = 86_400_000

/** Totals of a period. Revenue is net of reversals. */
export const periodFigures = z.object({
  verifications: z.int(),
  successful: z.int(),
  not_found: z.int(),
  revenue: money,
  /** Percentage of verifications that found a certificate, to one decimal place; null if there are no verifications. */
  success_rate: z.number().nullable(),
  users: z.int().describe('New accounts.'),
  certificates: z.int().describe('Certificates added that are still in the register.'),
})
export type PeriodFigures = z.infer<typeof periodFigures>

/** Intervals of the series: days, weeks starting on Monday, or months, depending on the length of the period. */
export const periodUnits = ['day', 'week', 'month'] as const
export type PeriodUnit = (typeof periodUnits)[number]

/** Figures of one interval; the first and the last interval are cut off at the ends of the period. */
export const intervalFigures = periodFigures.extend({ from: z.string(), to: z.string() })
export type IntervalFigures = z.infer<typeof intervalFigures>

const share = z.number().describe('Percentage of all verifications in the period, to one decimal place.')

export const periodAnalytics = z.object({
  /** First and last day of the period (UTC), both included. */
  from: z.string(),
  to: z.string(),
  days: z.int(),
  currency: z.string(),
  figures: periodFigures,
  /** The preceding period of the same length; null if the period starts at the first recorded day. */
  before: periodFigures.extend({ from: z.string(), to: z.string() }).nullable(),
  /**
   * Change from the previous period in percent, to one decimal place; null if the previous value is missing or not positive.
   */
  growth: z.object({
    verifications: z.number().nullable(),
    revenue: z.number().nullable(),
    users: z.number().nullable(),
    certificates: z.number().nullable(),
    /** Difference in percentage points. */
    success_rate: z.number().nullable(),
  }),
  unit: z.enum(periodUnits),
  /** One entry per interval, oldest first, including intervals without verifications. */
  series: z.array(intervalFigures),
  /** The ten courses with the most verifications; an empty name stands for certificates without a course. */
  courses: z.array(z.object({ name: z.string(), verifications: z.int(), share })),
  /** The ten organisations with the most verifications, named by the part of the payer's address before the first comma. */
  organisations: z.array(
    z.object({ name: z.string(), verifications: z.int(), successful: z.int(), revenue: money, share }),
  ),
})
export type PeriodAnalytics = z.infer<typeof periodAnalytics>

/** Disk usage, if the runtime can report it, and the size of the database. */
export const storage = z.object({
  status: z.enum(['healthy', 'warning', 'error', 'unknown']),
  database_bytes: z.int().nullable(),
  /** Disk of the database; null if the runtime cannot report it. */
  free_bytes: z.int().nullable(),
  used_percent: z.number().nullable(),
})
export type Storage = z.infer<typeof storage>

/** Micro-frontend releases that browsers have reported as failing since yesterday (UTC), most reports first. */
export const failingFrontEnds = z.array(
  z.object({
    /** The micro-frontend. Name and release are empty for reports above the limit on distinct micro-frontends and releases. */
    name: z.string(),
    /** The release; empty if the browser could not tell. */
    release: z.string(),
    reports: z.int(),
  }),
)
export type FailingFrontEnds = z.infer<typeof failingFrontEnds>

const daysBetween = ({
  date_from,
  date_to,
}: {
  date_from?: string | undefined
  date_to?: string | undefined
}) =>
  date_from === undefined || date_to === undefined
    ? 0
    : (Date.parse(date_to) - Date.parse(date_from)) / DAY_MS

export const adminAnalytics = {
  dashboard: route({
    method: 'GET',
    path: '/admin/analytics/dashboard',
    access: 'admin',
    summary: 'Totals of the whole portal, of the last 30 days, and by day (UTC).',
    reply: z.object({ analytics }),
  }),
  period: route({
    method: 'GET',
    path: '/admin/analytics',
    access: 'super_admin',
    summary:
      'Revenue, volume and outcomes of a period, compared with the previous one, with its courses and organisations. Without dates: all time up to today.',
    query: z
      .object({ date_from: filter(field.date()), date_to: filter(field.date()) })
      .refine(query => daysBetween(query) >= 0, {
        path: ['date_to'],
        message: 'The period must not end before it begins.',
      })
      .refine(query => daysBetween(query) <= MAX_DAYS, {
        path: ['date_from'],
        message: 'Please choose a period of at most 50 years.',
      }),
    reply: z.object({ analytics: periodAnalytics }),
    csv: {
      title: 'Analytics',
      file: 'analytics',
      money: ['revenue'],
      columns: [
        'section',
        'name',
        'from',
        'to',
        'verifications',
        'successful',
        'not_found',
        'success_rate',
        'revenue',
        'users',
        'certificates',
      ],
    },
  }),
  system: route({
    method: 'GET',
    path: '/admin/system',
    access: 'admin',
    summary:
      'Disk space, database size, front ends that failed in browsers since yesterday, and whether the list of live releases is damaged.',
    reply: z.object({
      storage,
      front_ends: failingFrontEnds,
      /** Why the list of live releases is invalid, in which case the last valid list is served; null if it is valid. */
      releases_damage: z.string().nullable(),
    }),
  }),
}
