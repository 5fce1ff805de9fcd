import { type BulkState, bulkDisplay } from '@portal/format/bulk-status'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { CertificateNumber } from '@portal/ui/mono'
import { Pagination } from '@portal/ui/pagination'
import { Select } from '@portal/ui/select'
import { Suggestion } from '@portal/ui/suggestion'
import { type Column, Table } from '@portal/ui/table'
import { LetterMenu } from '@portal/verify-flow/letter-menu'
import { type Reissue, useReissue } from '@portal/verify-flow/use-reissue'
import { Printer } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { LetterStatus } from '../../parts/letter-status.tsx'
import { usePrint } from '../../parts/use-print.ts'
import styles from './page.module.css'
import { countsOf, type Row } from './rows.ts'

const PrintJob = lazy(() => import('../../parts/print-job.tsx'))

const PER_PAGE = 25

type Print = ReturnType<typeof usePrint>

type OnSuggestion = ((row: Row, suggestion: string) => void) | undefined

const columnsFor = (print: Print, reissue: Reissue, onSuggestion: OnSuggestion): Column<Row>[] => [
  {
    key: 'number',
    header: 'Certificate',
    rowHeader: true,
    cell: row => (
      <>
        <CertificateNumber number={row.number} />
        {row.certificate && (
          <span className={styles.detail}>
            <bdi>{row.certificate.student_name}</bdi>, {row.certificate.course}, {row.certificate.grade}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: 'Result',
    cell: row => (
      <>
        <Status status={bulkDisplay(row.state)} variant="plain" />
        {row.message && row.state !== 'already_paid' && <span className={styles.detail}>{row.message}</span>}
        {row.suggestion && onSuggestion && (
          <Suggestion number={row.suggestion} onUse={suggestion => onSuggestion(row, suggestion)} />
        )}
        {row.letter && row.letter.status !== 'valid' && (
          <LetterStatus letter={row.letter} number={row.number} reissue={reissue} />
        )}
      </>
    ),
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    nowrap: true,
    cell: row => <RowActions row={row} print={print} />,
  },
]

function RowActions({ row, print }: { row: Row; print: Print }) {
  const { number, transactionId } = row
  if (transactionId === null || (row.state !== 'found' && row.state !== 'already_paid')) return null
  const start = () => print.start({ id: number, transactionId, certificateNumber: number })
  const withdrawn = row.letter?.status === 'withdrawn'
  return (
    <div className={styles.rowActions}>
      {row.letter && <LetterMenu letter={row.letter} number={number} print={withdrawn ? start : undefined} />}
      {!withdrawn && (
        <Button
          variant="quiet"
          size="sm"
          icon={Printer}
          busy={print.busyId === number}
          onClick={start}
          aria-label={`Print letter for ${number}`}
        >
          Print
        </Button>
      )}
    </div>
  )
}

/** A table of the numbers that can be filtered by state, with the letters of those numbers that have one. */
export function RowsTable({
  rows,
  caption,
  onSuggestion,
}: {
  rows: readonly Row[]
  caption: string
  /** Replaces the number of a row with the suggested one. */
  onSuggestion?: OnSuggestion
}) {
  const [stateFilter, setStateFilter] = useState<string>('')
  const [page, setPage] = useState(1)
  const print = usePrint()
  const reissue = useReissue()
  const counts = countsOf(rows)
  const filtered = rows.filter(row => stateFilter === '' || row.state === stateFilter)
  const pages = Math.max(1, Math.ceil(filtered.length / PER_PAGE))
  const currentPage = Math.min(page, pages)
  const label = (state: BulkState, count: number) => `${bulkDisplay(state).label} (${formatCount(count)})`
  return (
    <div className={styles.page}>
      {counts.length > 1 && (
        <div className={styles.filter}>
          <Select
            label="Show"
            placeholder={`All results (${formatCount(rows.length)})`}
            options={counts.map(({ state, count }) => ({ value: state, label: label(state, count) }))}
            value={stateFilter}
            onChange={event => {
              setStateFilter(event.target.value)
              setPage(1)
            }}
          />
        </div>
      )}
      {print.error && (
        <Alert tone="danger" onDismiss={print.dismiss}>
          {print.error}
        </Alert>
      )}
      <Table
        caption={caption}
        captionHidden
        columns={columnsFor(print, reissue, onSuggestion)}
        rows={filtered.slice((currentPage - 1) * PER_PAGE, currentPage * PER_PAGE)}
        rowKey={row => row.number}
      />
      <Pagination label="Pages of the results" page={currentPage} pages={pages} onPage={setPage} />
      {print.job && (
        <Suspense fallback={null}>
          <PrintJob key={print.job.id} {...print.job} onDone={print.done} />
        </Suspense>
      )}
    </div>
  )
}
