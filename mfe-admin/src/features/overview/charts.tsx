import { counted } from '@portal/format/counted'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { Panel } from '@portal/ui/panel'
import { DayChart } from '../../parts/chart/day-chart.tsx'
import { shortMoney } from '../../parts/chart/short-money.ts'
import type { DashboardAnalytics } from './figures.tsx'
import styles from './overview.module.css'

const outcomeSeries = [
  { key: 'successful', label: 'Found', tone: 'first' },
  { key: 'not_found', label: 'Not found', tone: 'second' },
] as const
const revenueSeries = [{ key: 'revenue', label: 'Revenue', tone: 'first' }] as const

/** Charts of daily verifications and revenue for the last 30 days. */
export default function Charts({ analytics }: { analytics: DashboardAnalytics }) {
  const { daily, currency, recent_authentications, recent_revenue } = analytics
  const days = daily.map(({ date, successful, not_found, revenue: earned }) => ({
    date,
    values: { successful, not_found, revenue: earned },
  }))
  return (
    <Panel title="Last 30 days">
      <div className={styles.charts}>
        <DayChart
          title="Verifications by day"
          summary={`${counted(recent_authentications, 'paid verification')} in the last 30 days; see the table below for each UTC day.`}
          empty="No paid verifications in the last 30 days."
          series={outcomeSeries}
          days={days}
          format={formatCount}
        />
        <DayChart
          title="Revenue by day"
          summary={`${formatMoney(recent_revenue, currency)} in the last 30 days; see the table below for each UTC day.`}
          empty="No revenue in the last 30 days."
          series={revenueSeries}
          days={days}
          format={value => formatMoney(value, currency)}
          formatShort={value => shortMoney(value, currency)}
        />
      </div>
    </Panel>
  )
}
