import type { adminLogs } from '@portal/contract/admin-logs'
import type { Reply } from '@portal/contract/route'
import {
  type ActivityStatus,
  activityStatusDisplay,
  activityStatuses,
  activityTypeDisplay,
  activityTypes,
} from '@portal/format/activity'
import { formatCount, formatFixedPercent, percentOf } from '@portal/format/numbers'
import { Stat, StatGroup } from '@portal/ui/stat'
import styles from './logs.module.css'

interface Props {
  statistics: Reply<typeof adminLogs.list>['statistics'] | undefined
  loading: boolean
}

/** Counts of the filtered entries by status and type. */
export function LogStatistics({ statistics, loading }: Props) {
  const types = activityTypes.filter(type => (statistics?.by_type?.[type] ?? 0) > 0)
  const countOrDash = (count: number | undefined) => (count === undefined ? '–' : formatCount(count))
  const formatShareNote = (status: ActivityStatus) => {
    // A placeholder of the final length.
    if (loading) return '00.0% of all'
    const count = statistics?.by_status?.[status]
    return count !== undefined && statistics && statistics.total > 0
      ? `${formatFixedPercent(percentOf(count, statistics.total))} of all`
      : undefined
  }
  return (
    <div className={styles.statistics}>
      <StatGroup label="Entries by status">
        <Stat label="Entries" value={countOrDash(statistics?.total)} loading={loading} />
        {activityStatuses.map(status => (
          <Stat
            key={status}
            label={activityStatusDisplay(status).label}
            value={countOrDash(statistics?.by_status?.[status])}
            note={formatShareNote(status)}
            loading={loading}
          />
        ))}
      </StatGroup>
      {loading && <p className={styles.types}>&nbsp;</p>}
      {statistics && types.length > 0 && (
        <ul className={styles.types} aria-label="Entries by type">
          {types.map(type => (
            <li key={type}>
              {activityTypeDisplay(type).label} <strong>{formatCount(statistics.by_type[type])}</strong>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
