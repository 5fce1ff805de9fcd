import { LoadFailure } from '@portal/account-ui/load-failure'
import type { SettlementLine } from '@portal/contract/admin-settlements'
import { counted } from '@portal/format/counted'
import { formatDateTime, formatShortDate } from '@portal/format/dates'
import { gatewayName } from '@portal/format/gateways'
import { formatMoney, formatMoneyOrNone } from '@portal/format/money'
import { lineKindLabel } from '@portal/format/settlements'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { DefinitionList } from '@portal/ui/definition-list'
import { Drawer } from '@portal/ui/drawer'
import { Code } from '@portal/ui/mono'
import { Pagination } from '@portal/ui/pagination'
import { Skeleton } from '@portal/ui/skeleton'
import { type Column, Table } from '@portal/ui/table'
import { useState } from 'react'
import lists from '../../parts/list.module.css'
import { useLines } from './use-settlements.ts'

const buildColumns = (currency: string): Column<SettlementLine>[] => [
  {
    key: 'reference',
    header: 'Reference',
    rowHeader: true,
    cell: line => (
      <>
        {line.transaction_id ? (
          <Link to={`${paths.dashboard('reports')}?tab=transactions&transaction=${line.transaction_id}`}>
            <Code>{line.reference}</Code>
          </Link>
        ) : (
          <Code>{line.reference || 'None'}</Code>
        )}
        <span className={lists.secondText}>{lineKindLabel(line.kind)}</span>
      </>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    nowrap: true,
    cell: line => formatMoney(line.amount, currency),
  },
  {
    key: 'fee',
    header: 'Fee',
    align: 'end',
    nowrap: true,
    cell: line => formatMoneyOrNone(line.fee, currency),
  },
  { key: 'net', header: 'Net', align: 'end', nowrap: true, cell: line => formatMoney(line.net, currency) },
]

/** Drawer with a settlement and its lines; the ID is in the URL. */
export default function SettlementDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Drawer open onClose={onClose} title="Settlement" side="end">
      <Details key={id} id={id} />
    </Drawer>
  )
}

function Details({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const query = useLines(id, page)
  const { data } = query
  const settlement = data?.settlement
  if (query.isError) return <LoadFailure title="The settlement could not be loaded" query={query} />
  if (!settlement) return <Skeleton size="facts" lines={8} />
  const { currency } = settlement
  return (
    <div className={lists.stack}>
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Settlement', value: <Code>{settlement.reference}</Code> },
          { term: 'Gateway', value: gatewayName(settlement.provider) },
          { term: 'Settled on', value: formatShortDate(settlement.settled_on) },
          { term: 'Amount', value: formatMoney(settlement.amount, currency) },
          { term: 'Fees', value: formatMoney(settlement.fees, currency) },
          { term: 'Total of the lines', value: formatMoney(settlement.net, currency) },
          ...(settlement.stated === null
            ? []
            : [{ term: 'Paid out', value: formatMoney(settlement.stated, currency) }]),
          {
            term: 'Source',
            value:
              settlement.source === 'api'
                ? 'Gateway'
                : [settlement.file_name, settlement.by_email].filter(Boolean).join(', '),
          },
          { term: 'Added', value: formatDateTime(settlement.created_at) },
        ]}
      />
      <Table caption="Lines" columns={buildColumns(currency)} rows={data.lines} rowKey={line => line.id} />
      {data.pagination.pages > 1 && (
        <Pagination
          page={page}
          pages={data.pagination.pages}
          total={counted(data.pagination.total, 'line')}
          onPage={setPage}
          label="Pages of lines"
        />
      )}
    </div>
  )
}
