import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { adminUsers } from '@portal/contract/admin-users'
import type { Reply } from '@portal/contract/route'
import { EmptyState } from '@portal/ui/empty-state'
import { Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Building2, ScrollText } from 'lucide-react'
import { accounts } from '../../parts/accounts/endpoints.ts'
import { HistoryList } from '../../parts/history/history-list.tsx'
import { LogTable } from '../../parts/log-table.tsx'

const PER_PAGE = 20

interface PagedTabProps {
  id: string
  page: number
  onPage: (page: number, replace?: boolean) => void
}

/** Every recorded change to the account. */
export function AccountHistory({ id, page, onPage }: PagedTabProps) {
  const query = useQuery({
    ...q(accounts.history, { params: { id }, query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return <HistoryList query={query} page={page} onPage={onPage} />
}

/** Entries of the activity log about the account. */
export function AccountActivity({ id, page, onPage }: PagedTabProps) {
  const query = useQuery({
    ...q(accounts.activity, { params: { id }, query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <ListScreen query={query} name="activity" page={page} onPage={onPage} noun="entry">
      {loading => (
        <LogTable
          logs={query.data?.logs}
          loading={loading}
          empty={<EmptyState title="No activity yet" icon={ScrollText} />}
        />
      )}
    </ListScreen>
  )
}

type Membership = Reply<typeof adminUsers.read>['organisations'][number]

/** The organisations to which the account belongs. */
export function Organisations({ organisations }: { organisations: readonly Membership[] }) {
  return (
    <Table
      caption="Organisations"
      captionHidden
      columns={[
        { key: 'name', header: 'Organisation', rowHeader: true, cell: ({ name }) => name },
        { key: 'role', header: 'Role', cell: ({ role }) => role },
      ]}
      rows={organisations}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No organisations" icon={Building2}>
          This account does not belong to an organisation.
        </EmptyState>
      }
    />
  )
}
