import { LoadFailure } from '@portal/account-ui/load-failure'
import { formatCount } from '@portal/format/numbers'
import { useSearchParams } from '@portal/router'
import { useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Pagination } from '@portal/ui/pagination'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { Download, RefreshCw, ScrollText } from 'lucide-react'
import { useRef } from 'react'
import { LogFilters } from './log-filters.tsx'
import { isFiltered, type LogParams, readLogParams, writeLogParams } from './log-params.ts'
import { LogStatistics } from './log-statistics.tsx'
import { LogTable } from './log-table.tsx'
import styles from './logs.module.css'
import { useExport, useLogs } from './use-logs.ts'

const counted = (total: number) => `${formatCount(total)} ${total === 1 ? 'entry' : 'entries'}`
const noFilters: LogParams = { userId: '', type: '', from: '', to: '', search: '', page: 1 }

/** Who did what: searched, counted, exported. */
export default function LogsPage() {
  const [address, setAddress] = useSearchParams()
  const params = readLogParams(address)
  const list = useLogs(params)
  const file = useExport(params)
  const ownView = useSession(session => session.user?.role !== 'super_admin')
  const results = useRef<HTMLDivElement>(null)
  const { logs = [], pagination, statistics } = list.data ?? {}

  function show(change: Partial<LogParams>, replace = false) {
    // From the address itself: a second filter may be changed before the first has been drawn.
    const now = readLogParams(new URLSearchParams(window.location.search))
    setAddress(writeLogParams({ ...now, page: 1, ...change }), { replace })
  }

  function onExport() {
    if (pagination?.total === 0) window.alert('No data to export')
    else file.mutate()
  }

  return (
    <>
      <PageHeader
        title="Activity Logs"
        note={ownView ? '(Admin View)' : undefined}
        description={
          ownView
            ? 'Your own activity, that of ordinary users and of the system.'
            : 'Everything that was done in the portal, by anyone. Entries can be neither changed nor removed.'
        }
        action={
          <>
            <Button icon={RefreshCw} busy={list.isRefetching} onClick={() => void list.refetch()}>
              Refresh
            </Button>
            <Button icon={Download} busy={file.isPending} busyLabel="Exporting…" onClick={onExport}>
              Export CSV
            </Button>
          </>
        }
      />
      <LogFilters params={params} onChange={change => show(change, 'search' in change)} />
      {list.isError && <LoadFailure title="The activity logs could not be loaded" query={list} />}
      {!(list.isError && !list.data) && (
        <>
          <LogStatistics statistics={statistics} loading={list.isPending} />
          <div ref={results} className={styles.results} aria-busy={list.isPlaceholderData || undefined}>
            <LogTable
              logs={logs}
              loading={list.isPending}
              empty={
                <EmptyState
                  title="No activity logs found matching your criteria."
                  icon={ScrollText}
                  action={
                    (isFiltered(params) || params.page > 1) && (
                      <Button onClick={() => setAddress(writeLogParams(noFilters))}>Clear filters</Button>
                    )
                  }
                />
              }
            />
          </div>
        </>
      )}
      {pagination && pagination.total > 0 && (
        <Pagination
          page={params.page}
          pages={pagination.pages}
          total={counted(pagination.total)}
          onPage={page => {
            show({ page })
            results.current?.scrollIntoView({ block: 'start' })
          }}
          label="Pages of activity logs"
        />
      )}
      <span role="status">
        {isFiltered(params) && pagination && (
          <VisuallyHidden>{counted(pagination.total)} found</VisuallyHidden>
        )}
      </span>
    </>
  )
}
