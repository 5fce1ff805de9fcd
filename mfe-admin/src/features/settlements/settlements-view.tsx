import { ListScreen } from '@portal/account-ui/list-screen'
import type { Settlement } from '@portal/contract/admin-settlements'
import { formatShortDate } from '@portal/format/dates'
import { gatewayName } from '@portal/format/gateways'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DateRange } from '@portal/ui/date-range'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { type Column, Table } from '@portal/ui/table'
import { Landmark } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { isFiltered, type SettlementParams } from './settlement-params.ts'
import styles from './settlements.module.css'
import type { useSettlements } from './use-settlements.ts'

const agreementDisplay = (open: number) =>
  open === 0
    ? ({ label: 'Agrees', tone: 'success', icon: 'tick' } as const)
    : ({
        label: open === 1 ? '1 open difference' : `${formatCount(open)} open differences`,
        tone: 'warning',
        icon: 'warning',
      } as const)

const buildColumns = (onOpen: (id: string) => void): Column<Settlement>[] => [
  {
    key: 'reference',
    header: 'Settlement',
    rowHeader: true,
    cell: row => (
      <>
        <button
          type="button"
          className={styles.open}
          aria-label={`Settlement ${row.reference}, lines`}
          onClick={() => onOpen(row.id)}
        >
          {row.reference}
        </button>
        <span className={lists.secondText}>
          {gatewayName(row.provider)}
          {row.file_name ? `, ${row.file_name}` : ''}
        </span>
      </>
    ),
  },
  { key: 'on', header: 'Settled on', nowrap: true, cell: row => formatShortDate(row.settled_on) },
  { key: 'lines', header: 'Lines', align: 'end', cell: row => formatCount(row.lines) },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    nowrap: true,
    cell: row => formatMoney(row.amount, row.currency),
  },
  {
    key: 'fees',
    header: 'Fees',
    align: 'end',
    nowrap: true,
    cell: row => formatMoney(row.fees, row.currency),
  },
  {
    key: 'net',
    header: 'Paid out',
    align: 'end',
    nowrap: true,
    cell: row => formatMoney(row.stated ?? row.net, row.currency),
  },
  {
    key: 'state',
    header: 'Ledger',
    cell: row => <Status status={agreementDisplay(row.open_differences)} variant="plain" />,
  },
]

interface Props {
  params: SettlementParams
  show: (change: Partial<SettlementParams>, replace?: boolean) => void
  list: ReturnType<typeof useSettlements>
  clear: () => void
}

/** Settlements paid out by the gateways. */
export function SettlementsView({ params, show, list, clear }: Props) {
  const { settlements } = list.data ?? {}
  const filtered = isFiltered(params)
  return (
    <div className={lists.stack}>
      <FilterBar label="Filter settlements">
        <DateRange from={params.from} to={params.to} onChange={show} />
      </FilterBar>
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="settlement"
        filtered={filtered}
      >
        {loading => (
          <Table
            caption="Settlements"
            captionHidden
            columns={buildColumns(settlement => show({ settlement, page: params.page }))}
            rows={settlements}
            rowKey={row => row.id}
            loading={loading}
            skeletonRows={5}
            empty={
              <EmptyState
                title={filtered ? 'No matching settlements' : 'No settlements yet'}
                icon={Landmark}
                action={filtered && <Button onClick={clear}>Clear filters</Button>}
              >
                {filtered
                  ? 'No settlements were paid out in this period.'
                  : 'Paystack’s settlements are imported every night. For other gateways, upload the settlement report.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
