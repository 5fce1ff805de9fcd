import type { DelayedWork } from '@portal/contract/background-work'
import { lateDisplay, queueLabel, waitInWords } from '@portal/format/background-work'
import { formatDateTime } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Code, TransactionId } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Email } from '../../parts/email.tsx'
import { Moment } from '../../parts/optional-values.tsx'
import styles from './background-work.module.css'
import { useRetry } from './use-delayed-work.ts'

type Subject = NonNullable<DelayedWork['subject']>

/** Number of characters of an ID shown on screen; the log has the full ID. */
const SHORT_ID_LENGTH = 8

function subjectPath({ kind, id, label }: Subject): string {
  const screenPath = (tab: string, query: Record<string, string>) =>
    `${paths.dashboard(tab)}?${new URLSearchParams(query)}`
  if (kind === 'payment') return screenPath('reports', { tab: 'transactions', search: id, transaction: id })
  if (kind === 'dispute') return screenPath('disputes', { search: id })
  if (kind === 'refund') return screenPath('reports', { tab: 'refunds', search: id })
  if (kind === 'reconciliation') return paths.dashboard('reports')
  if (kind === 'upload') return screenPath('upload-reports', { report: id })
  return screenPath('users', { search: label })
}

function SubjectLabel({ kind, label }: Subject) {
  if (kind === 'payment' || kind === 'refund' || kind === 'dispute') return <TransactionId id={label} short />
  return kind === 'account' ? <Email address={label} /> : label
}

/** The subject of an item: a link if there is a screen for it, otherwise its name or the start of its ID. */
function SubjectCell({ queue, item, subject }: DelayedWork) {
  if (subject)
    return (
      <Link to={subjectPath(subject)}>
        <SubjectLabel {...subject} />
      </Link>
    )
  if (queue === 'retention') return `Old ${item}`
  // An item that represents its whole queue has the queue's name as its ID, which the row already shows.
  return item === queue ? null : <Code>{item.slice(0, SHORT_ID_LENGTH)}</Code>
}

const formatTimeUntil = (at: string) => {
  const wait = Date.parse(at) - Date.now()
  return wait > 0 ? `In ${waitInWords(wait)}` : 'At the next run'
}

const formatName = ({ queue, item, subject }: DelayedWork) =>
  `${queueLabel(queue)}, ${subject?.label ?? item.slice(0, SHORT_ID_LENGTH)}`

const buildColumns = (retry: ReturnType<typeof useRetry>): Column<DelayedWork>[] => [
  {
    key: 'work',
    header: 'Work',
    rowHeader: true,
    cell: work => (
      <>
        {queueLabel(work.queue)}
        <span className={styles.second}>
          <SubjectCell {...work} />
        </span>
      </>
    ),
  },
  { key: 'reason', header: 'Reason', cell: ({ reason }) => <span className={styles.reason}>{reason}</span> },
  {
    key: 'delayed',
    header: 'Delayed',
    nowrap: true,
    cell: ({ since, late }) => (
      <span className={styles.stack}>
        <Status status={lateDisplay(late)} variant="plain" />
        <Moment
          className={styles.second}
          at={since}
          format={at => `for ${waitInWords(Date.now() - Date.parse(at))}`}
        />
      </span>
    ),
  },
  { key: 'attempts', header: 'Attempts', align: 'end', cell: ({ attempts }) => formatCount(attempts) },
  {
    key: 'next',
    header: 'Next attempt',
    nowrap: true,
    cell: ({ next_at: at }) => (
      <>
        <Moment at={at} format={formatTimeUntil} />
        {Date.parse(at) > Date.now() && <span className={styles.second}>{formatDateTime(at)}</span>}
      </>
    ),
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    cell: work => (
      <Button
        size="sm"
        variant="quiet"
        icon={RotateCw}
        busy={retry.isPending && retry.variables === work}
        aria-label={`Try now: ${formatName(work)}`}
        onClick={() => retry.mutate(work)}
      >
        Try now
      </Button>
    ),
  },
]

interface Props {
  work: readonly DelayedWork[]
  loading: boolean
  empty: ReactNode
}

/** A table with one page of delayed work. */
export function WorkTable({ work, loading, empty }: Props) {
  const retry = useRetry()
  return (
    <Table
      caption="Delayed work"
      captionHidden
      columns={buildColumns(retry)}
      rows={work}
      rowKey={({ queue, item }) => `${queue} ${item}`}
      loading={loading}
      empty={empty}
    />
  )
}
