import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { EmptyState } from '@portal/ui/empty-state'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { MovementTable } from './movement-table.tsx'
import { usePage } from './use-page.ts'

/** List of all movements of the balance. */
export function Movements({ organisation: { id, currency } }: { organisation: OwnOrganisation }) {
  const { page, onPage } = usePage()
  const list = useQuery({
    ...q(billing.movements, { params: { id }, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <ListScreen query={list} page={page} onPage={onPage} noun="movement">
      {loading => (
        <MovementTable
          caption="Movements"
          currency={currency}
          rows={list.data?.movements}
          loading={loading}
          empty={
            <EmptyState title="No movements yet" icon={Wallet}>
              Top-ups and verifications are listed here.
            </EmptyState>
          }
        />
      )}
    </ListScreen>
  )
}
