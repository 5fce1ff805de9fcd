import { FAILED_ROWS_KEPT } from '@portal/contract/admin-uploads'
import { formatCount } from '@portal/format/numbers'
import { statusDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { CertificateNumber } from '@portal/ui/mono'
import { Pagination } from '@portal/ui/pagination'
import { Stat, StatGroup } from '@portal/ui/stat'
import { type Column, Table } from '@portal/ui/table'
import { useState } from 'react'
import { formatOtherColumns, type ReportedRow } from './columns.ts'
import styles from './report.module.css'

const PER_PAGE = 20

export interface Counts {
  total: number
  created: number
  updated: number
  unchanged: number
  failed: number
}

/** Row counts, by outcome, of an upload or a dry run. */
export function ReportFigures({ counts, dryRun }: { counts: Counts; dryRun: boolean }) {
  return (
    <StatGroup label={dryRun ? 'What this file would change' : 'What this file changed'}>
      <Stat label="Rows" value={formatCount(counts.total)} />
      <Stat label={dryRun ? 'Would be added' : 'Added'} value={formatCount(counts.created)} />
      <Stat label={dryRun ? 'Would be updated' : 'Updated'} value={formatCount(counts.updated)} />
      <Stat label="Unchanged" value={formatCount(counts.unchanged)} note="Already in the register" />
      <Stat label={dryRun ? 'Would fail' : 'Failed'} value={formatCount(counts.failed)} />
    </StatGroup>
  )
}

/** Explains that the file of failed rows does not contain the values of every failed row. */
export function FailedRowsNote({ failed }: { failed: number }) {
  if (failed <= FAILED_ROWS_KEPT) return null
  return (
    <p className={styles.note}>
      Only the first {formatCount(FAILED_ROWS_KEPT)} failed rows are kept with their values. The report has
      the line number of, and reason for, every failed row; please correct the others in your own file.
    </p>
  )
}

const outcomeLabels = { created: 'Added', updated: 'Updated', unchanged: 'Unchanged', failed: 'Failed' }
const dryRunLabels = {
  created: 'Would be added',
  updated: 'Would be updated',
  unchanged: 'Unchanged',
  failed: 'Would fail',
}

/** Returns the displayed status of a row; in a dry run, no row has succeeded or failed yet. */
function getRowStatus(status: ReportedRow['status'], dryRun: boolean) {
  const display = statusDisplay(status)
  return dryRun ? { ...display, label: status === 'failed' ? 'Would fail' : 'Would succeed' } : display
}

const buildColumns = (dryRun: boolean): Column<ReportedRow>[] => [
  {
    key: 'number',
    header: 'Certificate number',
    rowHeader: true,
    cell: row => (row.certificate_number ? <CertificateNumber number={row.certificate_number} /> : 'None'),
  },
  {
    key: 'row',
    header: 'Row',
    align: 'end',
    cell: row => (row.row === undefined ? '–' : formatCount(row.row)),
  },
  {
    key: 'status',
    header: 'Status',
    cell: row => <Status status={getRowStatus(row.status, dryRun)} variant="plain" />,
  },
  {
    key: 'outcome',
    header: dryRun ? 'What would happen' : 'What happened',
    cell: row => {
      const explanation = row.error ?? row.changes ?? row.warning ?? formatOtherColumns(row)
      // The Status column already shows that the row failed.
      if (row.status === 'failed' && explanation) return <span className={styles.reason}>{explanation}</span>
      return (
        <>
          {
            (dryRun ? dryRunLabels : outcomeLabels)[
              row.outcome ?? (row.status === 'failed' ? 'failed' : 'created')
            ]
          }
          {explanation && <span className={styles.second}>{explanation}</span>}
        </>
      )
    },
  },
]

interface Props {
  report: readonly ReportedRow[]
  total: number
  dryRun: boolean
  loading?: boolean
}

/** A paginated table of report rows, failures first; rows beyond the first 1,000 are only in the downloaded file. */
export function ReportTable({ report, total, dryRun, loading = false }: Props) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(report.length / PER_PAGE))
  const firstIndex = (Math.min(page, pages) - 1) * PER_PAGE
  return (
    <>
      <Table
        caption="Rows of the report"
        captionHidden
        columns={buildColumns(dryRun)}
        rows={report.slice(firstIndex, firstIndex + PER_PAGE)}
        rowKey={row => report.indexOf(row)}
        loading={loading}
        empty={<p className={styles.none}>The file had no rows below its header.</p>}
      />
      <Pagination page={Math.min(page, pages)} pages={pages} onPage={setPage} label="Pages of the report" />
      {total > report.length && !loading && (
        <p className={styles.more}>
          These are the first {formatCount(report.length)} rows, failures first. The downloaded report has all{' '}
          {formatCount(total)}.
        </p>
      )}
    </>
  )
}
