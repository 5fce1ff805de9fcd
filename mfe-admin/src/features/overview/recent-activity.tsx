import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { ActivityLog } from '@portal/contract/admin-logs'
import { activityStatusDisplay, actorOf, classifyActivity, formatDetails } from '@portal/format/activity'
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

/** Maximum number of entries, and maximum length of their details (specification, section 9). */
const MAX_ENTRIES = 10
const MAX_DETAILS_LENGTH = 50
const RECENT_DAYS = 30
/** Number of entries to fetch: more than are shown, because many may be logins. */
const ENTRIES_FETCHED = 40

const isLogin = ({ activity }: Pick<ActivityLog, 'activity'>) => activity === 'User login'

/** Returns the entries to show, newest first; logins only fill places that other entries leave free. */
export function selectRecentEntries<Log extends Pick<ActivityLog, 'activity'>>(logs: readonly Log[]): Log[] {
  let loginSlots = Math.max(0, MAX_ENTRIES - logs.filter(log => !isLogin(log)).length)
  return logs.filter(log => !isLogin(log) || loginSlots-- > 0).slice(0, MAX_ENTRIES)
}

/** The newest entries of the activity log. */
export function RecentActivity({ isAdminView }: { isAdminView: boolean }) {
  const navigate = useNavigate()
  // Only recent days are requested, because the API counts all matching entries, which is slow for a large log.
  const date_from = isoDateDaysBefore(RECENT_DAYS - 1)
  const query = { per_page: ENTRIES_FETCHED, date_from, ...(isAdminView && { admin_view: 'true' }) }
  const { data, error, isPending } = useQuery(q(activityLogs.list, { query }))
  const logs = selectRecentEntries(data?.logs ?? [])
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
        <FeedSkeleton />
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
                  {truncate(formatDetails(log.details ?? ''), MAX_DETAILS_LENGTH).replace(/^./, ': $&')}
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

/** A skeleton as high as ten entries. */
const FeedSkeleton = () => (
  <ul className={styles.feed} aria-hidden="true">
    {Array.from({ length: MAX_ENTRIES }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical, static entries
      <li key={index} className={styles.entry}>
        <div className={styles.entryLoading}>
          <Skeleton lines={2} />
        </div>
      </li>
    ))}
  </ul>
)
