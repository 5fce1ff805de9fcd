import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { Stat, StatGroup } from '@portal/ui/stat'
import { ChartNoAxesColumn } from 'lucide-react'
import styles from './page.module.css'
import { averageSpent, type Statistics, statisticsSentence } from './statistics.ts'

interface Props {
  statistics: Statistics | undefined
  /** The currency of the amount spent. */
  currency: string | undefined
  loading: boolean
}

/** The user's own figures: counts, amount spent, and how often a certificate was found. */
export function StatisticsPanel({ statistics, currency, loading }: Props) {
  const isEmpty = statistics?.total_verifications === 0
  return (
    <Panel title="Your Verification Statistics">
      {isEmpty ? (
        <EmptyState title="No verifications yet" icon={ChartNoAxesColumn}>
          Your figures appear here after your first verification.
        </EmptyState>
      ) : (
        <Figures statistics={statistics} currency={currency} loading={loading} />
      )}
    </Panel>
  )
}

/** Replaces the panel after the user dismissed its error, with a button to load it again. */
export function NoStatistics({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <Panel title="Your Verification Statistics">
      <EmptyState
        title="No figures available"
        icon={ChartNoAxesColumn}
        action={
          <Button size="sm" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        They could not be loaded.
      </EmptyState>
    </Panel>
  )
}

function Figures({ statistics, currency, loading }: Props) {
  const spent = statistics?.total_amount_spent
  const average = statistics ? averageSpent(statistics) : null
  const counts = [
    { label: 'Total', value: statistics?.total_verifications },
    { label: 'Successful', value: statistics?.successful_verifications },
    { label: 'Not found', value: statistics?.failed_verifications },
  ]
  return (
    <div className={styles.statistics}>
      <StatGroup label="Counts" className={styles.counts}>
        {counts.map(count => (
          <Stat
            key={count.label}
            label={count.label}
            value={count.value === undefined ? '–' : formatCount(count.value)}
            loading={loading}
          />
        ))}
        <Stat
          label="Total spent"
          value={spent === undefined ? '–' : formatMoney(spent, currency)}
          note={average === null ? undefined : `${formatMoney(average, currency)} each on average`}
          loading={loading}
        />
      </StatGroup>
      {statistics && (
        <div className={styles.insights}>
          <Progress
            label="Success rate"
            value={statistics.success_rate}
            text={formatPercent(statistics.success_rate)}
          />
          <p className={styles.sentence}>
            <Status status={successRateDisplay(statistics.success_rate)} /> {statisticsSentence(statistics)}
          </p>
        </div>
      )}
    </div>
  )
}
