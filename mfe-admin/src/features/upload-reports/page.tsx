import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import { useSearchParams } from '@portal/router'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Pagination } from '@portal/ui/pagination'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileClock } from 'lucide-react'
import { uploads } from '../../parts/endpoints.ts'
import { ReportPanel } from './report-panel.tsx'
import styles from './upload-reports.module.css'
import { isOpen, UploadTable } from './upload-table.tsx'

const POLL = 2000

/** Every upload of certificates, by whom, with its report. The page and the shown report live in the address. */
export default function UploadReportsPage() {
  const [address, setAddress] = useSearchParams()
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '1', 10) || 1)
  const list = useQuery({
    ...q(uploads.list, { query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: query => (query.state.data?.uploads?.some(isOpen) ? POLL : false),
  })
  const shown = list.data?.uploads?.find(upload => upload.id === address.get('report'))

  function show(change: { page?: number; report?: string | undefined }) {
    const next = new URLSearchParams()
    const wanted = change.page ?? page
    if (wanted > 1) next.set('page', String(wanted))
    if (change.report) next.set('report', change.report)
    setAddress(next)
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title="Upload Reports"
        description="Every upload of certificates, by whom, and what became of each row."
      />
      {list.isError && <LoadFailure title="The uploads could not be loaded" query={list} />}
      {shown && <ReportPanel key={shown.id} upload={shown} onClose={() => show({})} />}
      {!(list.isError && !list.data) && (
        <UploadTable
          uploads={list.data?.uploads ?? []}
          loading={list.isPending}
          onReport={report => show({ report })}
          empty={
            <EmptyState title="No uploads yet" icon={FileClock}>
              What is uploaded under Upload Certificates is listed here with its report.
            </EmptyState>
          }
        />
      )}
      {list.data?.pagination && (
        <Pagination
          page={page}
          pages={list.data.pagination.pages}
          onPage={next => show({ page: next })}
          label="Pages of uploads"
        />
      )}
    </div>
  )
}
