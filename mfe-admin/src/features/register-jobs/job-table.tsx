import type { RegisterJob } from '@portal/contract/register-jobs'
import { formatDateTime } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { registerJobDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { withBreaks } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import { type Column, Table, type TableProps } from '@portal/ui/table'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { Moment } from '../../parts/optional-values.tsx'
import { jobKindLabel } from '../../parts/register-jobs/texts.ts'
import styles from './register-jobs.module.css'

export const isUnfinished = ({ state }: Pick<RegisterJob, 'state'>) =>
  state === 'queued' || state === 'running'

/** Returns the number of rows, as `2,000 of 4,100` until all rows are processed. */
const formatProgress = ({ processed, total }: RegisterJob) =>
  processed < total ? `${formatCount(processed)} of ${formatCount(total)}` : formatCount(total)

const buildColumns = (onOpen: (id: string) => void): Column<RegisterJob>[] => [
  {
    key: 'kind',
    header: 'Change',
    rowHeader: true,
    cell: job => (
      <div className={styles.kind}>
        {jobKindLabel(job.kind)}
        {job.upload && (
          <OneLine className={lists.secondText} text={job.upload.filename} anywhere>
            {withBreaks(job.upload.filename, '_')}
          </OneLine>
        )}
        <Moment className={lists.secondText} at={job.created_at} />
      </div>
    ),
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: job => <span className={`${lists.text} ${styles.reason}`}>{job.reason}</span>,
  },
  { key: 'by', header: 'By', secondary: true, cell: job => <ListedEmail address={job.author_email} /> },
  {
    key: 'state',
    header: 'Status',
    cell: job => (
      <>
        <Status status={registerJobDisplay(job.state)} variant="plain" />
        {job.reverted_at && <span className={`${lists.second} ${lists.words}`}>Reverted</span>}
      </>
    ),
  },
  { key: 'rows', header: 'Certificates', align: 'end', cell: formatProgress },
  { key: 'changed', header: 'Changed', align: 'end', cell: job => formatCount(job.changed) },
  { key: 'skipped', header: 'Skipped', align: 'end', secondary: true, cell: job => formatCount(job.skipped) },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    cell: job => (
      <Button
        size="sm"
        variant="quiet"
        icon={FileText}
        aria-label={`Details of ${jobKindLabel(job.kind)}, ${formatDateTime(job.created_at)}`}
        onClick={() => onOpen(job.id)}
      >
        Details
      </Button>
    ),
  },
]

interface Props {
  jobs: TableProps<RegisterJob>['rows']
  loading: boolean
  onOpen: (id: string) => void
  empty: ReactNode
}

/** A table with one page of jobs. */
export function JobTable({ jobs, loading, onOpen, empty }: Props) {
  return (
    <Table
      caption="Bulk changes"
      captionHidden
      columns={buildColumns(onOpen)}
      rows={jobs}
      rowKey={job => job.id}
      loading={loading}
      empty={empty}
    />
  )
}
