import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { SearchField } from '@portal/account-ui/search-field'
import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import type { CountedOrganisation } from '@portal/contract/admin-organisations'
import { formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { organisationDisplay, vettedDisplay } from '@portal/format/organisations'
import { Link, useSearchParams } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { PageHeader } from '@portal/ui/page-header'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { organisationPath, organisations } from '../../parts/organisation-endpoints.ts'
import { isFiltered, type ListParams, readParams, states, toListQuery, writeParams } from './list-params.ts'
import styles from './organisations.module.css'

const columns: readonly Column<CountedOrganisation>[] = [
  {
    key: 'name',
    header: 'Organisation',
    rowHeader: true,
    lines: 2,
    cell: ({ id, name, contact_email }) => (
      <>
        <Link to={organisationPath(id)} className={lists.text}>
          {name}
        </Link>
        <span className={styles.second}>{contact_email}</span>
      </>
    ),
  },
  {
    key: 'state',
    header: 'Status',
    nowrap: true,
    cell: ({ state }) => <Status status={organisationDisplay(state)} variant="plain" />,
  },
  {
    key: 'vetted',
    header: 'Vetting',
    nowrap: true,
    cell: ({ vetted_at }) => <Status status={vettedDisplay(vetted_at)} variant="plain" />,
  },
  {
    key: 'members',
    header: 'Members',
    align: 'end',
    secondary: true,
    cell: ({ members }) => formatCount(members),
  },
  {
    key: 'verifications',
    header: 'Verifications',
    align: 'end',
    cell: ({ verifications }) => formatCount(verifications),
  },
  {
    key: 'balance',
    header: 'Balance',
    align: 'end',
    nowrap: true,
    cell: ({ balance, currency }) => formatMoney(balance, currency),
  },
  {
    key: 'created',
    header: 'Created',
    nowrap: true,
    secondary: true,
    cell: ({ created_at }) => <time dateTime={created_at}>{formatShortDate(created_at)}</time>,
  },
]

/** All organisations; filters and page are in the URL. */
export default function OrganisationsPage() {
  const [search, setSearch] = useSearchParams()
  const params = readParams(search)
  const list = useQuery({
    ...q(organisations.list, { query: { ...toListQuery(params), page: params.page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  // `params` may be stale: another filter may have changed since the last render.
  const show = (change: Partial<ListParams>, replace = false) =>
    setSearch(
      writeParams({ ...readParams(new URLSearchParams(window.location.search)), page: 1, ...change }),
      { replace },
    )
  return (
    <>
      <PageHeader
        title="Organisations"
        description="Teams that verify together and pay from a prepaid balance."
        action={
          <ExportButton
            fetch={() =>
              download(organisations.list, { query: toListQuery(params), headers: { accept: 'text/csv' } })
            }
            name="organisations"
            total={list.data?.pagination?.total}
          />
        }
      />
      <FilterBar
        label="Filter organisations"
        search={
          <SearchField
            label="Search"
            labelShown
            placeholder="Name, number or email"
            search={params.search}
            onSearch={text => show({ search: text }, true)}
          />
        }
        active={[params.state, params.vetted].filter(Boolean).length}
      >
        <Select
          label="Status"
          placeholder="All statuses"
          options={states.map(value => ({ value, label: organisationDisplay(value).label }))}
          value={params.state}
          onChange={event => show({ state: states.find(item => item === event.target.value) ?? '' })}
        />
        <Select
          label="Vetting"
          placeholder="All"
          options={[
            { value: 'true', label: 'Vetted' },
            { value: 'false', label: 'Not vetted' },
          ]}
          value={params.vetted}
          onChange={event => {
            const { value } = event.target
            show({ vetted: value === 'true' || value === 'false' ? value : '' })
          }}
        />
      </FilterBar>
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="organisation"
        filtered={isFiltered(params)}
      >
        {loading => (
          <Table
            caption="Organisations"
            captionHidden
            columns={columns}
            rows={list.data?.organisations}
            rowKey={({ id }) => id}
            loading={loading}
            skeletonRows={8}
            empty={
              <EmptyState
                title="No organisations found"
                icon={Building2}
                action={isFiltered(params) && <Button onClick={() => setSearch({})}>Clear filters</Button>}
              >
                {isFiltered(params) ? undefined : 'Users create organisations from Profile Settings.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </>
  )
}
