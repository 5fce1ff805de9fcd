import { formatCount, formatPercent, growthPercent } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { DefinitionList } from '@portal/ui/definition-list'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import type { Figured } from './figures.tsx'
import styles from './overview.module.css'

/** As the specification counts it: what is recent, divided by the total. */
const growth = (recent: number, total: number) => `${growthPercent(recent, total).toFixed(1)}%`

/** The last 30 days in three figures, and how the portal does: its success rate in bands, its growth in percent. */
export function Indicators({ analytics }: { analytics: Figured }) {
  return (
    <>
      <Panel title="Quick Statistics" description="The last 30 days" className={styles.pairs}>
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
        title="Performance Indicators"
        description="Growth is the share of each total that the last 30 days added"
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
            { term: 'User growth', value: growth(analytics.recent_users, analytics.total_users) },
            {
              term: 'Certificate growth',
              value: growth(analytics.recent_certificates, analytics.total_certificates),
            },
            {
              term: 'Verification growth',
              value: growth(analytics.recent_authentications, analytics.total_authentications),
            },
            { term: 'Revenue growth', value: growth(analytics.recent_revenue, analytics.total_revenue) },
          ]}
        />
      </Panel>
    </>
  )
}
