import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import { useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { paths } from '@portal/router/paths'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileClock, ListChecks } from 'lucide-react'
import { uploads } from '../../parts/screen-endpoints.ts'
import { isUnfinished } from '../../parts/upload-report/unfinished.ts'
import { ReportPanel } from './report-panel.tsx'
import styles from './upload-reports.module.css'
import { UploadTable } from './upload-table.tsx'

const POLL_MS = 2000

/** Certificate uploads with their reports. The page and the open report are in the URL. */
export default function UploadReportsPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const page = readPage(searchParams)
  const list = useQuery({
    ...q(uploads.list, { query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: query => (query.state.data?.uploads?.some(isUnfinished) ? POLL_MS : false),
  })
  const reportId = searchParams.get('report') ?? ''
  const listedUpload = list.data?.uploads?.find(({ id }) => id === reportId)
  // A link may open an upload that is on another page of the list; such an upload is fetched separately.
  const loadedUpload = useQuery({
    ...q(uploads.read, { params: { id: reportId } }),
    enabled: reportId !== '' && list.isSuccess && !listedUpload,
    refetchInterval: query => (query.state.data && isUnfinished(query.state.data.upload) ? POLL_MS : false),
  })
  const openUpload = listedUpload ?? (reportId === '' ? undefined : loadedUpload.data?.upload)

  function show(change: { page?: number; report?: string | undefined }, replace = false) {
    setSearchParams(toSearchParams({ page, ...change }), { replace })
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title="Upload Reports"
        description="All certificate uploads: who made them, and the result of each row."
        action={
          <LinkButton to={paths.registerJobs()} icon={ListChecks}>
            Bulk changes
          </LinkButton>
        }
      />
      {openUpload && <ReportPanel key={openUpload.id} upload={openUpload} onClose={() => show({})} />}
      <ListScreen
        query={list}
        noun="upload"
        page={page}
        onPage={(next, replace) => show({ page: next }, replace)}
      >
        {loading => (
          <UploadTable
            uploads={list.data?.uploads}
            loading={loading}
            onReport={report => show({ report })}
            empty={
              <EmptyState
                title="No uploads yet"
                icon={FileClock}
                action={<LinkButton to={paths.dashboard('upload')}>Upload Certificates</LinkButton>}
              >
                Uploaded files are listed here with their reports.
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
