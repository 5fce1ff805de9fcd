import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { money } from './shapes.ts'

const countOf = z.number().int()

/** One UTC day. `verifications` are paid ones, each either `successful` or `not_found`. */
export const dailyFigures = z.object({
  date: z.string(),
  verifications: countOf,
  successful: countOf,
  not_found: countOf,
  revenue: money,
})
export type DailyFigures = z.infer<typeof dailyFigures>

/** Days that `recent_*` and the daily series reach back, today included. */
export const RECENT_DAYS = 30

export const analytics = z.object({
  total_users: countOf,
  recent_users: countOf,
  total_certificates: countOf,
  recent_certificates: countOf,
  /** Paid verifications; failed ones are those that found nothing. */
  total_authentications: countOf,
  recent_authentications: countOf,
  /** Earned, less what was reversed. */
  total_revenue: money,
  recent_revenue: money,
  currency: z.string(),
  /** Percent of all paid verifications that found a certificate, to one decimal; 0 where there is none. */
  success_rate: z.number(),
  /** The last 30 days, oldest first, days without anything included. */
  daily: z.array(dailyFigures),
})
export type Analytics = z.infer<typeof analytics>

export const adminAnalytics = {
  dashboard: route({
    method: 'GET',
    path: '/admin/analytics/dashboard',
    access: 'admin',
    summary: 'Figures of the whole portal: totals, the last 30 days, and these day by day (UTC).',
    reply: z.object({ analytics }),
  }),
}
