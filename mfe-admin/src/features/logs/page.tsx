import { ExportButton } from '@portal/account-ui/export-button'
import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { History, RefreshCw, ScrollText } from 'lucide-react'
import { LogTable } from '../../parts/log-table.tsx'
import { LogFilters } from './log-filters.tsx'
import { isFiltered, type LogParams, readLogParams, writeLogParams } from './log-params.ts'
import { LogStatistics } from './log-statistics.tsx'
import styles from './logs.module.css'
import { useFetchFile, useIsAdminView, useLogs } from './use-logs.ts'

const noFilters: LogParams = { userId: '', type: '', from: '', to: '', search: '', page: 1 }

/** Activity log: search, statistics and export. */
export default function LogsPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readLogParams(searchParams)
  const list = useLogs(params)
  const fetchFile = useFetchFile(params)
  const isAdminView = useIsAdminView()
  const { logs, pagination, statistics } = list.data ?? {}

  function show(change: Partial<LogParams>, replace = false) {
    // `params` may be stale: another filter may have changed since the last render.
    const current = readLogParams(new URLSearchParams(window.location.search))
    setSearchParams(writeLogParams({ ...current, page: 1, ...change }), { replace })
  }

  return (
    <>
      <PageHeader
        title="Activity Logs"
        note={isAdminView ? '(Admin View)' : undefined}
        description={
          isAdminView
            ? 'Your own activity, and that of ordinary users and the system.'
            : 'All actions in the portal. Entries cannot be changed or deleted.'
        }
        action={
          <>
            <LinkButton to={paths.dashboard('register-changes')} icon={History}>
              Register changes
            </LinkButton>
            <Button icon={RefreshCw} busy={list.isRefetching} onClick={() => void list.refetch()}>
              Refresh
            </Button>
            <ExportButton fetch={fetchFile} name="activity_logs" total={pagination?.total} />
          </>
        }
      />
      <LogFilters params={params} onChange={change => show(change, 'search' in change)} />
      <ListScreen
        query={list}
        name="activity logs"
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="entry"
        filtered={isFiltered(params)}
      >
        {loading => (
          <div className={styles.results}>
            <LogStatistics statistics={statistics} loading={loading} />
            <LogTable
              logs={logs}
              loading={loading}
              empty={
                <EmptyState
                  title="No activity logs found matching your criteria."
                  icon={ScrollText}
                  action={
                    (isFiltered(params) || params.page > 1) && (
                      <Button onClick={() => setSearchParams(writeLogParams(noFilters))}>
                        Clear filters
                      </Button>
                    )
                  }
                />
              }
            />
          </div>
        )}
      </ListScreen>
    </>
  )
}
