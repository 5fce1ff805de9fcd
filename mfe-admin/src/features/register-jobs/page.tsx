import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import { Link, useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { paths } from '@portal/router/paths'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { registerJobs } from '../../parts/screen-endpoints.ts'
import { JobPanel } from './job-panel.tsx'
import { isUnfinished, JobTable } from './job-table.tsx'
import styles from './register-jobs.module.css'

const POLL_MS = 2000

/** Jobs that change many certificates, with their progress. The page and the open job are in the URL. */
export default function RegisterJobsPage() {
  const [search, setSearch] = useSearchParams()
  const page = readPage(search)
  const list = useQuery({
    ...q(registerJobs.list, { query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: query => (query.state.data?.jobs?.some(isUnfinished) ? POLL_MS : false),
  })
  const openJobId = search.get('job')

  function show(change: { page?: number; job?: string }, replace = false) {
    setSearch(toSearchParams({ page, ...change }), { replace })
  }

  return (
    <div className={styles.page}>
      <p className={lists.back}>
        <Link to={paths.dashboard('certificates')}>All certificates</Link>
      </p>
      <PageHeader
        title="Bulk Changes"
        description="Changes to many certificates, and reverted uploads. They continue if you leave this page."
      />
      {openJobId && <JobPanel key={openJobId} id={openJobId} onClose={() => show({})} />}
      <ListScreen
        query={list}
        page={page}
        onPage={(next, replace) => show({ page: next }, replace)}
        noun="bulk change"
      >
        {loading => (
          <JobTable
            jobs={list.data?.jobs}
            loading={loading}
            onOpen={job => show({ job })}
            empty={
              <EmptyState title="No bulk changes yet." icon={ListChecks}>
                Select certificates in the register to change many at once.
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
