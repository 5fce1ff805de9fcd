import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { SearchField } from '@portal/account-ui/search-field'
import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { sourceLabel } from '@portal/format/organisations'
import { useSearchParams } from '@portal/router'
import { Button } from '@portal/ui/button'
import { DateRange } from '@portal/ui/date-range'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileSearch, SearchX } from 'lucide-react'
import { members } from '../../parts/organisation-endpoints.ts'
import { verifications } from '../../parts/organisation-work-endpoints.ts'
import { OrganisationFrame } from './frame.tsx'
import { filtersOf, isFiltered, results, sources, toQuery } from './history-params.ts'
import { usePage } from './use-page.ts'
import { VerificationTable } from './verification-table.tsx'

/** Page with the verifications of all members of an organisation. */
export default function OrganisationHistory() {
  return (
    <OrganisationFrame
      section="history"
      title="Organisation History"
      requires="verify"
      loading={<VerificationTable organisationId="" rows={[]} loading empty={null} />}
    >
      {organisation => <History organisation={organisation} />}
    </OrganisationFrame>
  )
}

function History({ organisation }: { organisation: OwnOrganisation }) {
  const params = { id: organisation.id }
  const [search, setSearch] = useSearchParams()
  const filters = filtersOf(search)
  const { page, onPage } = usePage()
  const query = toQuery(filters)
  const list = useQuery({
    ...q(verifications.list, { params, query: { ...query, page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const membersQuery = useQuery(q(members.list, { params }))
  // Changing a filter returns to the first page.
  const changeFilters = (change: Partial<typeof filters>, replace = false) =>
    setSearch(
      Object.entries({ ...filters, ...change }).filter(([, value]) => value !== ''),
      { replace },
    )
  return (
    <div>
      <FilterBar
        label="Filter verifications"
        search={
          <SearchField
            label="Search"
            labelShown
            placeholder="Number or reference"
            search={filters.search}
            onSearch={text => changeFilters({ search: text }, true)}
          />
        }
        active={Object.entries(filters).filter(([name, value]) => name !== 'search' && value).length}
        actions={
          <ExportButton
            fetch={() => download(verifications.list, { params, query, headers: { accept: 'text/csv' } })}
            name="verifications"
            total={list.data?.pagination?.total}
          />
        }
      >
        <Select
          label="Result"
          placeholder="All results"
          options={results}
          value={filters.result}
          onChange={event => changeFilters({ result: event.target.value })}
        />
        <Select
          label="Source"
          placeholder="All sources"
          options={sources.map(value => ({ value, label: sourceLabel(value) }))}
          value={filters.source}
          onChange={event => changeFilters({ source: event.target.value })}
        />
        <Select
          label="Requested by"
          placeholder="All members"
          options={(membersQuery.data?.members ?? []).map(({ user_id, name }) => ({
            value: user_id,
            label: name,
          }))}
          value={filters.requested_by}
          onChange={event => changeFilters({ requested_by: event.target.value })}
        />
        <DateRange utc from={filters.from} to={filters.to} onChange={changeFilters} />
      </FilterBar>
      <ListScreen query={list} page={page} onPage={onPage} noun="verification" filtered={isFiltered(filters)}>
        {loading => (
          <VerificationTable
            organisationId={organisation.id}
            rows={list.data?.verifications}
            loading={loading}
            empty={
              isFiltered(filters) ? (
                <EmptyState
                  title="No verification matches"
                  icon={SearchX}
                  action={<Button onClick={() => setSearch({})}>Clear filters</Button>}
                />
              ) : (
                <EmptyState title="No verifications yet." icon={FileSearch}>
                  Verifications of all members are listed here, with their letters.
                </EmptyState>
              )
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
