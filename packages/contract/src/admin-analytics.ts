import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { filter, money } from './shapes.ts'

/** One UTC day. `verifications` are paid ones, each either `successful` or `not_found`. */
export const dailyFigures = z.object({
  date: z.string(),
  verifications: z.int(),
  successful: z.int(),
  not_found: z.int(),
  revenue: money,
})

/** Days that `recent_*` and the daily series reach back, today included. */
export const RECENT_DAYS = 30

export const analytics = z.object({
  total_users: z.int(),
  recent_users: z.int(),
  total_certificates: z.int(),
  recent_certificates: z.int(),
  /** Paid verifications; failed ones are those that found nothing. */
  total_authentications: z.int(),
  recent_authentications: z.int(),
  /** Earned, less what was reversed. */
  total_revenue: money,
  recent_revenue: money,
  this_month: z
    .object({ users: z.int(), certificates: z.int(), authentications: z.int(), revenue: money })
    .describe('Since the first of the month (UTC).'),
  currency: z.string(),
  /** Percent of all paid verifications that found a certificate, to one decimal; 0 where there is none. */
  success_rate: z.number(),
  /** The last 30 days, oldest first, days without anything included. */
  daily: z.array(dailyFigures),
})
export type Analytics = z.infer<typeof analytics>

/** Longest period that figures can be asked for, in days: fifty years. */
const MOST_DAYS = 18_300
const DAY = 86_400_000

/** What a period brought. Revenue is what was earned in it, less what was reversed in it. */
export const periodFigures = z.object({
  verifications: z.int(),
  successful: z.int(),
  not_found: z.int(),
  revenue: money,
  /** Percent that found a certificate, to one decimal; null where nothing was verified. */
  success_rate: z.number().nullable(),
  users: z.int().describe('New accounts.'),
  certificates: z.int().describe('Certificates entered that still stand.'),
})
export type PeriodFigures = z.infer<typeof periodFigures>

/** Days, weeks from Monday, or months: as many pieces as one can look at. */
export const periodUnits = ['day', 'week', 'month'] as const
export type PeriodUnit = (typeof periodUnits)[number]

/** One piece of a period; its first and last are cut to the period. */
export const periodPiece = periodFigures.extend({ from: z.string(), to: z.string() })
export type PeriodPiece = z.infer<typeof periodPiece>

const share = z.number().describe('Percent of all of its kind in the period, to one decimal.')

export const periodAnalytics = z.object({
  /** UTC days, both inclusive. */
  from: z.string(),
  to: z.string(),
  days: z.int(),
  currency: z.string(),
  figures: periodFigures,
  /** As many days before; null where the period begins with the first day on record. */
  before: periodFigures.extend({ from: z.string(), to: z.string() }).nullable(),
  /** Percent against the period before, to one decimal; null where there was nothing before. */
  growth: z.object({
    verifications: z.number().nullable(),
    revenue: z.number().nullable(),
    users: z.number().nullable(),
    certificates: z.number().nullable(),
    /** In percentage points. */
    success_rate: z.number().nullable(),
  }),
  unit: z.enum(periodUnits),
  /** Oldest first, pieces without anything included. */
  series: z.array(periodPiece),
  /** The ten that most certificates were verified of. An empty name: none was stated. */
  courses: z.array(z.object({ name: z.string(), verifications: z.int(), share })),
  /** The ten whose accounts verified most, by the company before the first comma of the payer's address. */
  organisations: z.array(
    z.object({ name: z.string(), verifications: z.int(), successful: z.int(), revenue: money, share }),
  ),
})
export type PeriodAnalytics = z.infer<typeof periodAnalytics>

/** How much of the disk is used, where the runtime can say, and of it by the database. */
export const storage = z.object({
  status: z.enum(['healthy', 'warning', 'error', 'unknown']),
  database_bytes: z.int().nullable(),
  /** Of the disk the database lies on; null where the runtime cannot say. */
  free_bytes: z.int().nullable(),
  used_percent: z.number().nullable(),
})
export type Storage = z.infer<typeof storage>

/** How often browsers told since yesterday (UTC) that a release of a micro-frontend failed, most first. */
export const failingFrontEnds = z.array(
  z.object({
    /** Empty, with the release, where too many kinds were told of to keep apart. */
    name: z.string(),
    /** Empty where the browser did not know. */
    release: z.string(),
    reports: z.int(),
  }),
)
export type FailingFrontEnds = z.infer<typeof failingFrontEnds>

const ends = ({ date_from, date_to }: { date_from?: string | undefined; date_to?: string | undefined }) =>
  date_from === undefined || date_to === undefined ? 0 : (Date.parse(date_to) - Date.parse(date_from)) / DAY

export const adminAnalytics = {
  dashboard: route({
    method: 'GET',
    path: '/admin/analytics/dashboard',
    access: 'admin',
    summary: 'Figures of the whole portal: totals, the last 30 days, and these day by day (UTC).',
    reply: z.object({ analytics }),
  }),
  period: route({
    method: 'GET',
    path: '/admin/analytics',
    access: 'super_admin',
    summary:
      'Revenue, volume and outcomes of a period, against the one before, with its courses and organisations. Without dates: everything up to today.',
    query: z
      .object({ date_from: filter(field.date()), date_to: filter(field.date()) })
      .refine(query => ends(query) >= 0, {
        path: ['date_to'],
        message: 'The period must not end before it begins.',
      })
      .refine(query => ends(query) <= MOST_DAYS, {
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
      'Room on the disk, the size of the database, which front ends failed in browsers since yesterday, and whether the list of live releases is damaged.',
    reply: z.object({
      storage,
      front_ends: failingFrontEnds,
      /** What is wrong with the list of live releases, so that the last good one is used; null where nothing is. */
      releases_damage: z.string().nullable(),
    }),
  }),
}
