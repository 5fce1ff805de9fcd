import type { adminAnalytics } from '@portal/contract/admin-analytics'
import type { HandlersOf } from '../serve.ts'
import { analyticsOf, recentDays } from './rules.ts'
import { readDays, readTotals } from './store.ts'

export const analyticsHandlers: HandlersOf<typeof adminAnalytics> = {
  dashboard: async ({ db, ports }) => {
    const now = ports.clock.now()
    const [first = ''] = recentDays(now)
    const totals = await readTotals(db.read)
    const days = await readDays(db.read, { from: first })
    return { analytics: analyticsOf(totals, days, now) }
  },
}
