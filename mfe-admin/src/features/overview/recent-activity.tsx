import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { activityStatusDisplay, actorOf, classifyActivity } from '@portal/format/activity'
import { formatDateTime, formatRelativeTime, isoDateDaysBefore } from '@portal/format/dates'
import { truncate } from '@portal/format/text'
import { useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { Email } from '../../parts/email.tsx'
import { activityLogs } from '../../parts/endpoints.ts'
import styles from './overview.module.css'

/** Number of entries, and characters of their details (specification, section 9). */
const SHOWN = 10
const DETAILS_SHOWN = 50
const RECENT_DAYS = 30

/** The newest entries of the activity log. */
export function RecentActivity({ adminView }: { adminView: boolean }) {
  const navigate = useNavigate()
  // Skip the total: counting a large log is slow.
  const date_from = isoDateDaysBefore(RECENT_DAYS - 1)
  const query = { per_page: SHOWN, date_from, ...(adminView && { admin_view: 'true' }) }
  const { data, error, isPending } = useQuery(q(activityLogs.list, { query }))
  const logs = data?.logs ?? []
  return (
    <Panel
      title="Recent activity"
      action={
        <Button
          size="sm"
          variant="quiet"
          className={styles.flush}
          onClick={() => void navigate(paths.dashboard('logs'))}
        >
          View All Activity
        </Button>
      }
    >
      {error && <Alert tone="warning">Some data may be limited due to: {messageOf(error)}</Alert>}
      {isPending ? (
        <Skeleton lines={8} />
      ) : logs.length === 0 ? (
        <EmptyState title="No recent activity to display" icon={ScrollText} />
      ) : (
        <ul className={styles.feed}>
          {logs.map(log => (
            <li key={log.id} className={styles.entry}>
              <div className={styles.entryWords}>
                <p className={styles.entryTitle}>{log.activity}</p>
                <p className={styles.second}>
                  <Email address={actorOf(log)} />
                  {log.details && <>: {truncate(log.details, DETAILS_SHOWN)}</>}
                </p>
              </div>
              <div className={styles.entryEnd}>
                <Status
                  status={activityStatusDisplay(classifyActivity(log.activity ?? '').status)}
                  variant="plain"
                />
                {log.timestamp && (
                  <time
                    className={styles.second}
                    dateTime={log.timestamp}
                    title={formatDateTime(log.timestamp)}
                  >
                    {formatRelativeTime(log.timestamp)}
                  </time>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
