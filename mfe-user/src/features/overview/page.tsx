import { messageOf, referenceOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Stat, StatGroup } from '@portal/ui/stat'
import { VerifyWidget } from '@portal/verify-flow/verify-widget'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statistics as statisticsCall } from '../../parts/endpoints.ts'
import { OrganisationHint } from '../../parts/organisation-hint.tsx'
import styles from './page.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { NoStatistics, StatisticsPanel } from './statistics-panel.tsx'

export default function OverviewPage() {
  const firstname = useSession(session => session.user?.firstname)
  const { data, error, isPending, isFetching, refetch } = useQuery(q(statisticsCall))
  const statistics = data?.statistics
  const orDash = (text: string | undefined) => text ?? '–'
  // The failure that the user dismissed; a later failure is shown again.
  const [dismissed, setDismissed] = useState<unknown>()
  return (
    <div className={styles.page}>
      <header className={styles.banner}>
        <div className={styles.words}>
          <h1 tabIndex={-1} data-page-title>
            Welcome, <bdi>{firstname}</bdi>
          </h1>
          <p className={styles.lead}>Check a certificate, or find the letters you already have.</p>
        </div>
        <div className={styles.room}>
          <StatGroup label="Your verifications so far" className={styles.figures}>
            <Stat
              label="Total verifications"
              value={orDash(statistics && formatCount(statistics.total_verifications))}
              loading={isPending}
            />
            <Stat
              label="Success rate"
              value={orDash(
                statistics?.total_verifications ? formatPercent(statistics.success_rate) : undefined,
              )}
              loading={isPending}
            />
          </StatGroup>
        </div>
      </header>

      {error && error !== dismissed && (
        <Alert
          tone="danger"
          reference={referenceOf(error)}
          title="Failed to load dashboard statistics"
          onDismiss={() => setDismissed(error)}
          actions={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      )}

      <div className={styles.columns}>
        <Panel>
          <VerifyWidget compact title="Verify a certificate" />
          <p className={styles.many}>
            Several at once? <Link to={paths.dashboard('bulk')}>Verify up to 500 certificates</Link>
          </p>
        </Panel>
        {!error && <StatisticsPanel statistics={statistics} currency={data?.currency} loading={isPending} />}
        {error && error === dismissed && <NoStatistics busy={isFetching} onRetry={() => void refetch()} />}
      </div>

      <Shortcuts />
      <OrganisationHint className={styles.lead} />
    </div>
  )
}
