import type { ActivityLog } from '@portal/contract/admin-logs'
import {
  type ActivityType,
  activitySeverityDisplay,
  activityStatusDisplay,
  activityTypeDisplay,
  actorOf,
  classifyActivity,
  formatDetails,
} from '@portal/format/activity'
import { formatDateTime, formatRelativeTime, formatShortDate } from '@portal/format/dates'
import { truncate } from '@portal/format/text'
import { Status } from '@portal/ui/badge'
import { Icon } from '@portal/ui/icon'
import { OneLine } from '@portal/ui/one-line'
import { type Column, Table, type TableProps } from '@portal/ui/table'
import { Banknote, Circle, type LucideIcon, ShieldCheck, Upload, UserCog, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Email } from './email.tsx'
import { EMPTY_VALUE } from './empty-value.ts'
import styles from './log-table.module.css'

/** Maximum length of the details shown in the table (specification, section 9). */
const MAX_DETAILS_LENGTH = 80

const icons: Readonly<Record<ActivityType, LucideIcon>> = {
  verification: ShieldCheck,
  upload: Upload,
  payment: Banknote,
  user: UserRound,
  admin: UserCog,
  other: Circle,
}

function TypeBadge({ type }: { type: ActivityType }) {
  const { label, tone } = activityTypeDisplay(type)
  return (
    <span className={styles.type} data-tone={tone}>
      <Icon icon={icons[type]} size={15} />
      {label}
    </span>
  )
}

/** The time of an entry; a recent entry also has a relative time. */
function Time({ at }: { at: string }) {
  if (!at) return EMPTY_VALUE
  const ago = formatRelativeTime(at)
  return (
    <time dateTime={at}>
      {formatDateTime(at)}
      {ago !== formatShortDate(at) && <span className={styles.second}>{ago}</span>}
    </time>
  )
}

/** The details of an entry, truncated until they are expanded. */
function Details({ text }: { text: string }) {
  if (!text) return <span className={styles.nothing}>{EMPTY_VALUE}</span>
  const short = truncate(text, MAX_DETAILS_LENGTH)
  if (short === text) return <span className={styles.text}>{text}</span>
  return (
    <details className={styles.details}>
      <summary>
        <span className={styles.short}>{short}</span> <span className={styles.more}>Show all</span>
        <span className={styles.less}>Show less</span>
      </summary>
      <p className={styles.text}>{text}</p>
    </details>
  )
}

const columns: readonly Column<ActivityLog>[] = [
  {
    key: 'time',
    header: 'Time',
    nowrap: true,
    cell: log => <Time at={log.timestamp} />,
  },
  {
    key: 'activity',
    header: 'Activity',
    rowHeader: true,
    cell: log => (
      <>
        {log.activity}
        <OneLine
          className={styles.second}
          text={[actorOf(log), log.ip_address && `from ${log.ip_address}`].filter(Boolean).join(' ')}
          anywhere
        >
          <Email address={actorOf(log)} />
          {log.ip_address && <> from {log.ip_address}</>}
        </OneLine>
      </>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    secondary: true,
    cell: log => <TypeBadge type={classifyActivity(log.activity ?? '').type} />,
  },
  {
    key: 'status',
    header: 'Status',
    cell: log => (
      <Status status={activityStatusDisplay(classifyActivity(log.activity ?? '').status)} variant="plain" />
    ),
  },
  {
    key: 'severity',
    header: 'Severity',
    secondary: true,
    cell: log => (
      <Status
        status={activitySeverityDisplay(classifyActivity(log.activity ?? '').severity)}
        variant="plain"
      />
    ),
  },
  { key: 'details', header: 'Details', cell: log => <Details text={formatDetails(log.details ?? '')} /> },
]

interface Props {
  logs: TableProps<ActivityLog>['rows']
  loading: boolean
  empty: ReactNode
}

/** A table with one page of log entries. */
export function LogTable({ logs, loading, empty }: Props) {
  return (
    <div className={styles.results}>
      <Table
        caption="Activity logs"
        captionHidden
        columns={columns}
        rows={logs}
        rowKey={log => log.id}
        loading={loading}
        skeletonRows={8}
        empty={empty}
      />
    </div>
  )
}
