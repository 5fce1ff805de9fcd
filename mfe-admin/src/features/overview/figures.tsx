import type { Analytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Stat, StatGroup } from '@portal/ui/stat'

/** The figures of the dashboard; older API versions omit `this_month`. */
export type DashboardAnalytics = Omit<Analytics, 'this_month'> & Partial<Pick<Analytics, 'this_month'>>

/** Totals of the portal, each with the number added this month. */
export function Figures({ analytics }: { analytics: DashboardAnalytics | undefined }) {
  const count = (value: number | undefined) => formatCount(value ?? 0)
  const money = (value: number | undefined) => formatMoney(value ?? 0, analytics?.currency)
  const { this_month: month } = analytics ?? {}
  const period = month ? 'this month' : 'in the last 30 days'
  const stats = [
    {
      label: 'Total Users',
      value: count(analytics?.total_users),
      recent: count(month?.users ?? analytics?.recent_users),
    },
    {
      label: 'Total Certificates',
      value: count(analytics?.total_certificates),
      recent: count(month?.certificates ?? analytics?.recent_certificates),
    },
    {
      label: 'Total Verifications',
      value: count(analytics?.total_authentications),
      recent: count(month?.authentications ?? analytics?.recent_authentications),
    },
    {
      label: 'Total Revenue',
      value: money(analytics?.total_revenue),
      recent: money(month?.revenue ?? analytics?.recent_revenue),
    },
  ]
  return (
    <StatGroup label="Totals">
      {stats.map(stat => (
        <Stat
          key={stat.label}
          label={stat.label}
          value={stat.value}
          note={`+${stat.recent} ${period}`.replace('+-', '−')}
          loading={!analytics}
        />
      ))}
      <Stat
        label="Success Rate"
        value={formatPercent(analytics?.success_rate ?? 0)}
        note={<Status status={successRateDisplay(analytics?.success_rate ?? 0)} variant="plain" />}
        loading={!analytics}
      />
    </StatGroup>
  )
}
