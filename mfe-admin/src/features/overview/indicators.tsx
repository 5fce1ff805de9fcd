import { formatCount, formatFixedPercent, formatPercent, percentOf } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { DefinitionList } from '@portal/ui/definition-list'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import type { DashboardAnalytics } from './figures.tsx'
import styles from './overview.module.css'

/** Formats growth as the specification defines it: recent divided by total. */
const formatGrowth = (recent: number, total: number) => formatFixedPercent(percentOf(recent, total))

/** Quick statistics of the last 30 days: the success rate in its band, and growth percentages. */
export function Indicators({ analytics }: { analytics: DashboardAnalytics }) {
  return (
    <>
      <Panel title="Quick statistics" description="The last 30 days" className={styles.pairs}>
        <DefinitionList
          variant="compact"
          items={[
            { term: 'New users', value: formatCount(analytics.recent_users) },
            { term: 'Certificates', value: formatCount(analytics.recent_certificates) },
            { term: 'Verifications', value: formatCount(analytics.recent_authentications) },
          ]}
        />
      </Panel>
      <Panel
        title="Performance indicators"
        description="Growth is the share of each total added in the last 30 days"
        className={styles.pairs}
      >
        <div className={styles.rate}>
          <Progress
            label="Success rate"
            value={analytics.success_rate}
            text={formatPercent(analytics.success_rate)}
          />
          <Status status={successRateDisplay(analytics.success_rate)} />
        </div>
        <DefinitionList
          variant="compact"
          items={[
            { term: 'User growth', value: formatGrowth(analytics.recent_users, analytics.total_users) },
            {
              term: 'Certificate growth',
              value: formatGrowth(analytics.recent_certificates, analytics.total_certificates),
            },
            {
              term: 'Verification growth',
              value: formatGrowth(analytics.recent_authentications, analytics.total_authentications),
            },
            {
              term: 'Revenue growth',
              value: formatGrowth(analytics.recent_revenue, analytics.total_revenue),
            },
          ]}
        />
      </Panel>
    </>
  )
}
