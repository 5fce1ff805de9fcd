import type { Upload } from '@portal/contract/admin-uploads'
import { formatDateTime } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { uploadDisplay } from '@portal/format/status'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { withBreaks } from '@portal/ui/mono'
import { type Column, Table, type TableProps } from '@portal/ui/table'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import lists from '../../parts/list.module.css'
import { isUnfinished } from '../../parts/upload-report/unfinished.ts'
import styles from './upload-reports.module.css'

interface Props {
  uploads: TableProps<Upload>['rows']
  loading: boolean
  onReport: (id: string) => void
  empty: ReactNode
}

/** Returns the number of rows, as `412 of 1,000` if the upload is in progress or was cancelled. */
const formatProgress = ({ total, processed, ...upload }: Upload) =>
  total === null
    ? 'Unknown'
    : isUnfinished(upload) || upload.state === 'cancelled'
      ? `${formatCount(processed)} of ${formatCount(total)}`
      : formatCount(total)

const buildColumns = (onReport: Props['onReport']): Column<Upload>[] => [
  {
    key: 'file',
    header: 'File',
    rowHeader: true,
    cell: upload => (
      <>
        <span className={styles.file}>{withBreaks(upload.filename, '_')}</span>{' '}
        {upload.dry_run && <Badge>Dry run</Badge>}
        <time className={lists.second} dateTime={upload.created_at}>
          {formatDateTime(upload.created_at)}
        </time>
      </>
    ),
  },
  {
    key: 'by',
    header: 'Uploaded by',
    secondary: true,
    cell: upload => <span className={styles.email}>{upload.uploader_email}</span>,
  },
  {
    key: 'state',
    header: 'Status',
    cell: upload => (
      <>
        <Status status={uploadDisplay(upload.state)} variant="plain" />
        {upload.reverted_at && <span className={`${lists.second} ${lists.words}`}>Reverted</span>}
      </>
    ),
  },
  { key: 'rows', header: 'Rows', align: 'end', cell: formatProgress },
  { key: 'succeeded', header: 'Succeeded', align: 'end', cell: upload => formatCount(upload.succeeded) },
  { key: 'failed', header: 'Failed', align: 'end', cell: upload => formatCount(upload.failed) },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    cell: upload => (
      <Button
        size="sm"
        variant="quiet"
        icon={FileText}
        aria-label={`Report of ${upload.filename}, ${formatDateTime(upload.created_at)}`}
        onClick={() => onReport(upload.id)}
      >
        Report
      </Button>
    ),
  },
]

/** A table with one page of uploads. */
export function UploadTable({ uploads, loading, onReport, empty }: Props) {
  return (
    <Table
      caption="Uploads"
      captionHidden
      columns={buildColumns(onReport)}
      rows={uploads}
      rowKey={upload => upload.id}
      loading={loading}
      empty={empty}
    />
  )
}
