import type { Movement } from '@portal/contract/organisation-billing'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { movementLines } from '@portal/format/organisations'
import { type Column, Table } from '@portal/ui/table'
import type { ReactNode } from 'react'
import styles from './organisations.module.css'

function MovementName({ movement }: { movement: Movement }) {
  const [first, second] = movementLines(movement)
  return (
    <>
      {first}
      {second && <span className={styles.second}>{second}</span>}
    </>
  )
}

const columnsOf = (currency: string): Column<Movement>[] => [
  {
    key: 'type',
    header: 'Movement',
    rowHeader: true,
    lines: 2,
    cell: movement => <MovementName movement={movement} />,
  },
  {
    key: 'at',
    header: 'Date',
    nowrap: true,
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    nowrap: true,
    cell: ({ amount }) => `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`,
  },
  {
    key: 'balance',
    header: 'Balance',
    align: 'end',
    nowrap: true,
    cell: ({ balance_after }) => formatMoney(balance_after, currency),
  },
]

interface Props {
  caption: string
  currency: string
  rows: readonly Movement[] | undefined
  loading: boolean
  empty: ReactNode
}

/** Movements of a balance: credits with a plus sign, debits with a minus sign. */
export function MovementTable({ caption, currency, rows, loading, empty }: Props) {
  return (
    <Table
      caption={caption}
      captionHidden
      columns={columnsOf(currency)}
      rows={rows}
      rowKey={({ id }) => id}
      loading={loading}
      skeletonRows={8}
      empty={empty}
    />
  )
}
