import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import type { Analytics } from '@portal/contract/admin-analytics'
import { fullName } from '@portal/format/text'
import { roleLabel } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { analytics } from '../../parts/endpoints.ts'
import { type DashboardAnalytics, Figures } from './figures.tsx'
import { Indicators } from './indicators.tsx'
import styles from './overview.module.css'
import { QuickActions } from './quick-actions.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { SystemHealth } from './system-health.tsx'

/** Defaults for fields that an older API omits. */
const defaults: DashboardAnalytics = {
  total_users: 0,
  recent_users: 0,
  total_certificates: 0,
  recent_certificates: 0,
  total_authentications: 0,
  recent_authentications: 0,
  total_revenue: 0,
  recent_revenue: 0,
  currency: 'NGN',
  success_rate: 0,
  daily: [],
}

const Charts = lazy(() => import('./charts.tsx'))

/** Overview: totals, charts, recent activity and system health. */
export default function OverviewPage() {
  const user = useSession(session => session.user)
  const { data, error, isPending, isFetching, refetch } = useQuery(q(analytics.dashboard))
  const [dismissedError, setDismissedError] = useState<unknown>()
  const isSuperAdmin = user?.role === 'super_admin'
  const reply: Partial<Analytics> | undefined = data?.analytics
  // A response without totals counts as no data.
  const figures =
    reply && 'total_users' in reply ? { ...defaults, ...reply, daily: reply.daily ?? [] } : undefined
  return (
    <div className={styles.page}>
      <PageHeader
        title="Overview"
        note={isSuperAdmin ? undefined : '(Admin View)'}
        description={
          user && (
            <>
              <bdi>{fullName(user)}</bdi>, {roleLabel(user.role)}
            </>
          )
        }
      />
      {error && error !== dismissedError && (
        <LoadFailure
          title={isSuperAdmin ? 'Failed to load dashboard data' : 'Failed to load dashboard analytics'}
          query={{ error, isFetching, refetch }}
          onDismiss={() => setDismissedError(error)}
        />
      )}
      {figures || isPending ? (
        <Figures analytics={figures} />
      ) : (
        <EmptyState title="No Analytics Data Available" icon={ChartNoAxesColumn}>
          Figures appear here once they can be loaded.
        </EmptyState>
      )}
      <QuickActions role={user?.role} />
      {isPending && <div className={styles.chartsPlace} />}
      {figures && figures.daily.length > 0 && (
        <Suspense fallback={<div className={styles.chartsPlace} />}>
          <Charts analytics={figures} />
        </Suspense>
      )}
      <div className={styles.columns}>
        <RecentActivity isAdminView={!isSuperAdmin} />
        <div className={styles.column}>{figures && <Indicators analytics={figures} />}</div>
      </div>
      <SystemHealth />
    </div>
  )
}
