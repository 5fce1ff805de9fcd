import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { historyDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { CertificateNumber } from '@portal/ui/mono'
import { type Column, type Sort, Table } from '@portal/ui/table'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Data',
  title: 'Table',
  text: 'Records in rows. Below 768 px each row becomes a card with its labels; a table that is too wide scrolls in its own area.',
}

interface Row {
  id: number
  number: string
  name: string
  at: string
  paid: boolean
  result: string
  amount: number
}

const rows: readonly Row[] = [
  {
    id: 1,
    number: 'UG/2019/00123',
    name: 'Adébáyọ̀ Ọláṣẹ́ńí',
    at: '2026-01-31T08:05:00Z',
    paid: true,
    result: 'success',
    amount: 5000,
  },
  {
    id: 2,
    number: 'PG/2021/01877',
    name: 'Ngọzị Ụchennaya',
    at: '2026-01-30T15:41:00Z',
    paid: true,
    result: 'failed',
    amount: 5000,
  },
  {
    id: 3,
    number: 'HND/2016/00042',
    name: 'Halima Bello',
    at: '2026-01-29T11:12:00Z',
    paid: false,
    result: 'pending',
    amount: 12500.5,
  },
]

const columns: readonly Column<Row>[] = [
  {
    key: 'number',
    header: 'Certificate number',
    cell: row => <CertificateNumber number={row.number} />,
    rowHeader: true,
  },
  { key: 'name', header: 'Student', cell: row => row.name },
  { key: 'at', header: 'Date', cell: row => formatDateTime(row.at), sortable: true, nowrap: true },
  {
    key: 'result',
    header: 'Result',
    cell: row => (
      <Status status={historyDisplay(row.paid ? 'paid' : 'pending', row.result)} variant="plain" />
    ),
  },
  { key: 'amount', header: 'Amount', cell: row => formatMoney(row.amount), align: 'end', sortable: true },
  {
    key: 'print',
    header: 'Actions',
    headerHidden: true,
    cell: row => (
      <Button
        variant="quiet"
        size="sm"
        icon={Printer}
        aria-label={`Print letter of ${row.number}`}
        disabledReason={row.result === 'success' ? undefined : 'Only a found certificate has a letter'}
      >
        Print
      </Button>
    ),
  },
]

export function Sortable() {
  const [sort, setSort] = useState<Sort>({ key: 'at', direction: 'desc' })
  return (
    <Table
      caption="Verification history"
      columns={columns}
      rows={rows}
      rowKey={row => row.id}
      sort={sort}
      onSort={setSort}
    />
  )
}

export function Loading() {
  return (
    <Table
      caption="Loading records"
      captionHidden
      columns={columns}
      rows={[]}
      rowKey={row => row.id}
      loading
      skeletonRows={2}
    />
  )
}

export function Empty() {
  return (
    <Table
      caption="Users"
      columns={columns}
      rows={[]}
      rowKey={row => row.id}
      empty={<EmptyState title="No Users Found">Change the filters, or add a user.</EmptyState>}
    />
  )
}
