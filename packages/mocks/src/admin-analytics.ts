import { RECENT_DAYS, type adminAnalytics as routes } from '@portal/contract/admin-analytics'
import { isoDateDaysBefore } from '@portal/format/dates'
import type { HandlersOf } from './serve.ts'

export const adminAnalytics: HandlersOf<typeof routes> = {
  dashboard({ state, now }) {
    const days = Array.from({ length: RECENT_DAYS }, (_, back) =>
      isoDateDaysBefore(RECENT_DAYS - 1 - back, now),
    )
    const [first = ''] = days
    const paid = state.payments.filter(each => each.status === 'paid' && each.settled_at !== null)
    const since = <Row>(rows: readonly Row[], at: (row: Row) => string | null) =>
      rows.filter(row => (at(row) ?? '') >= first)
    const revenue = (rows: typeof paid) => rows.reduce((sum, each) => sum + each.amount_minor, 0) / 100
    const successful = (rows: typeof paid) => rows.filter(each => each.certificate !== null).length
    const recent = since(paid, each => each.settled_at)
    return {
      analytics: {
        total_users: state.users.length,
        recent_users: since(state.users, each => each.created_at).length,
        total_certificates: state.certificates.length,
        recent_certificates: since(state.certificates, each => each.uploaded_at).length,
        total_authentications: paid.length,
        recent_authentications: recent.length,
        total_revenue: revenue(paid),
        recent_revenue: revenue(recent),
        currency: 'NGN',
        success_rate: paid.length === 0 ? 0 : Math.round((successful(paid) / paid.length) * 1000) / 10,
        daily: days.map(date => {
          const rows = recent.filter(each => each.settled_at?.startsWith(date))
          return {
            date,
            verifications: rows.length,
            successful: successful(rows),
            not_found: rows.length - successful(rows),
            revenue: revenue(rows),
          }
        }),
      },
    }
  },
}
