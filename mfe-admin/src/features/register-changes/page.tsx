import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { Link, useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { registerChanges } from '../../parts/screen-endpoints.ts'
import { ChangeFilters } from './change-filters.tsx'
import {
  type ChangeParams,
  isFiltered,
  noFilters,
  readChangeParams,
  toChangeQuery,
  writeChangeParams,
} from './change-params.ts'
import { ChangeTable } from './change-table.tsx'

/** All changes of the register with their authors; filters and page are in the URL. */
export default function RegisterChangesPage() {
  const [search, setSearch] = useSearchParams()
  const params = readChangeParams(search)
  const query = { ...toChangeQuery(params), page: params.page, per_page: 20 }
  const list = useQuery({ ...q(registerChanges, { query }), placeholderData: keepPreviousData })
  const { changes, pagination } = list.data ?? {}

  function show(change: Partial<ChangeParams>, replace = false) {
    // `params` may be stale: another filter may have changed since the last render.
    const current = readChangeParams(new URLSearchParams(window.location.search))
    setSearch(writeChangeParams({ ...current, page: 1, ...change }), { replace })
  }

  return (
    <>
      <p className={lists.back}>
        <Link to={paths.dashboard('logs')}>Activity logs</Link>
      </p>
      <PageHeader
        title="Register Changes"
        description="Every recorded change to a certificate: who made it, the old and new values, and why."
        action={
          <ExportButton
            fetch={() =>
              download(registerChanges, { query: toChangeQuery(params), headers: { accept: 'text/csv' } })
            }
            name="register_changes"
            total={pagination?.total}
          />
        }
      />
      <ChangeFilters params={params} onChange={change => show(change, 'search' in change)} />
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="change"
        filtered={isFiltered(params)}
        countLimit={MAX_COUNTED}
      >
        {loading => (
          <ChangeTable
            changes={changes}
            loading={loading}
            empty={
              isFiltered(params) ? (
                <EmptyState
                  title="No changes match these filters"
                  icon={History}
                  action={
                    <Button onClick={() => setSearch(writeChangeParams(noFilters))}>Clear filters</Button>
                  }
                />
              ) : (
                <EmptyState title="No changes yet" icon={History}>
                  Changes to certificates will be listed here.
                </EmptyState>
              )
            }
          />
        )}
      </ListScreen>
    </>
  )
}
