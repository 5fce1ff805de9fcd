import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { Batch } from '@portal/contract/organisation-batches'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatDateTime } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { batchDisplay } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { EmptyState } from '@portal/ui/empty-state'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { batches } from '../../parts/organisation-work-endpoints.ts'
import { POLL_MS } from './batch-progress.tsx'
import { BatchStart } from './batch-start.tsx'
import { OrganisationFrame } from './frame.tsx'
import styles from './organisations.module.css'
import { usePage } from './use-page.ts'

/** Page of batches: lists of numbers that are verified in the background. */
export default function BatchesPage() {
  return (
    <OrganisationFrame section="batches" title="Batches" requires="verify">
      {organisation => (
        <>
          <BatchStart organisation={organisation} />
          <Batches organisation={organisation} />
        </>
      )}
    </OrganisationFrame>
  )
}

const columnsOf = (organisationId: string): Column<Batch>[] => [
  {
    key: 'name',
    header: 'Batch',
    rowHeader: true,
    lines: 2,
    cell: ({ id, name, requested_by }) => (
      <>
        <Link className={styles.text} to={organisationPath(organisationId, 'batches', id)}>
          {name ?? 'Batch'}
        </Link>
        <span className={styles.second}>Started by {requested_by?.name ?? 'an API key'}</span>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    nowrap: true,
    cell: ({ status }) => <Status status={batchDisplay(status)} variant="plain" />,
  },
  {
    key: 'found',
    header: 'Found',
    align: 'end',
    nowrap: true,
    cell: ({ counts, total }) =>
      `${formatCount((counts.verified ?? 0) + (counts.already_paid ?? 0))} of ${formatCount(total)}`,
  },
  {
    key: 'date',
    header: 'Started',
    nowrap: true,
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
]

function Batches({ organisation: { id } }: { organisation: OwnOrganisation }) {
  const { page, onPage } = usePage()
  const list = useQuery({
    ...q(batches.list, { params: { id }, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.batches.some(({ status }) => status === 'processing') ? POLL_MS : false,
  })
  return (
    <ListScreen query={list} page={page} onPage={onPage} noun={['batch', 'batches']}>
      {loading => (
        <Table
          caption="Batches"
          captionHidden
          columns={columnsOf(id)}
          rows={list.data?.batches}
          rowKey={batch => batch.id}
          loading={loading}
          empty={
            <EmptyState title="No batches yet." icon={ListChecks}>
              Paste the numbers above, or choose a CSV file.
            </EmptyState>
          }
        />
      )}
    </ListScreen>
  )
}
