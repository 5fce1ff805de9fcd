import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import type { FeeChange } from '@portal/contract/admin-settings'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { useSearchParams } from '@portal/router'
import { readPage } from '@portal/router/params'
import { EmptyState } from '@portal/ui/empty-state'
import { Pagination } from '@portal/ui/pagination'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { feeSettings } from '../../parts/screen-endpoints.ts'
import styles from './settings.module.css'

const PER_PAGE = 20

const columns: readonly Column<FeeChange>[] = [
  {
    key: 'when',
    header: 'When',
    rowHeader: true,
    nowrap: true,
    cell: change => formatDateTime(change.changed_at),
  },
  {
    key: 'who',
    header: 'Changed by',
    cell: change => <span className={styles.who}>{change.user_email ?? 'The portal'}</span>,
  },
  {
    key: 'from',
    header: 'From',
    align: 'end',
    nowrap: true,
    cell: change => formatMoney(change.from_fee, change.currency),
  },
  {
    key: 'to',
    header: 'To',
    align: 'end',
    nowrap: true,
    cell: change => <strong>{formatMoney(change.to_fee, change.currency)}</strong>,
  },
]

/** History of the fee: when it changed, by whom, and from and to which amount. */
export function FeeHistory() {
  const [search, setSearch] = useSearchParams()
  const query = { page: readPage(search), per_page: PER_PAGE }
  const { data, error, isFetching, isPending, isPlaceholderData, refetch } = useQuery({
    ...q(feeSettings.history, { query }),
    placeholderData: keepPreviousData,
  })
  const total = data?.pagination?.total ?? 0
  return (
    <div className={styles.history}>
      <h2 className={styles.heading}>Fee changes</h2>
      {error && (
        <LoadFailure title="The changes could not be loaded" query={{ error, isFetching, refetch }} />
      )}
      <div>
        {!(error && !data) && (
          <Table
            caption="Fee changes"
            captionHidden
            columns={columns}
            rows={data?.changes}
            rowKey={change => change.id}
            loading={isPending}
            skeletonRows={3}
            empty={
              <EmptyState title="The fee has not been changed yet" icon={History}>
                Changes appear here, with who made them and when.
              </EmptyState>
            }
          />
        )}
        {data?.pagination && (
          <Pagination
            label="Pages of fee changes"
            page={data.pagination.page}
            pages={data.pagination.pages}
            total={total === 0 ? undefined : `${total} ${total === 1 ? 'change' : 'changes'}`}
            busy={isPlaceholderData}
            onPage={page => setSearch(page === 1 ? {} : { page: String(page) })}
          />
        )}
      </div>
    </div>
  )
}
