import type { Mismatch } from '@portal/contract/admin-reconciliation'
import { formatMoney } from '@portal/format/money'
import { mismatchDisplay } from '@portal/format/reports'
import { statusDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Code } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import lists from '../../parts/list.module.css'
import styles from './reports.module.css'
import { TransactionButton } from './transaction-button.tsx'

/** The status and amount on one side, the portal's or the gateway's. */
function Side({ status, amount }: { status: string | null; amount: number | null }) {
  if (status === null) return <span className={styles.nothing}>Nothing</span>
  return (
    <>
      {statusDisplay(status).label}
      {amount !== null && <span className={lists.secondText}>{formatMoney(amount)}</span>}
    </>
  )
}

const buildColumns = (onOpen: (id: string) => void): Column<Mismatch>[] => [
  {
    key: 'payment',
    header: 'Payment',
    rowHeader: true,
    cell: row => (
      <>
        {row.transaction_id && <TransactionButton id={row.transaction_id} onOpen={onOpen} />}
        <span className={row.transaction_id ? lists.secondText : undefined}>
          <Code>{row.payment_reference}</Code>
        </span>
      </>
    ),
  },
  {
    key: 'difference',
    header: 'Difference',
    cell: row => (
      <>
        <Status status={mismatchDisplay(row.kind)} variant="plain" />
        <span className={lists.secondText}>{row.message}</span>
      </>
    ),
  },
  { key: 'here', header: 'In the portal', cell: row => <Side status={row.ours} amount={row.amount_ours} /> },
  {
    key: 'gateway',
    header: 'At the gateway',
    cell: row => <Side status={row.gateways} amount={row.amount_gateway} />,
  },
]

/** The differences that a reconciliation could not correct, each linked to its transaction. */
export function Mismatches({
  caption,
  captionHidden,
  mismatches,
  onOpen,
}: {
  caption: string
  captionHidden?: boolean
  mismatches: readonly Mismatch[]
  onOpen: (transactionId: string) => void
}) {
  return (
    <Table
      caption={caption}
      captionHidden={captionHidden}
      columns={buildColumns(onOpen)}
      rows={mismatches}
      rowKey={row => `${row.payment_reference} ${row.kind}`}
    />
  )
}
