import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import type { Statement } from '@portal/contract/organisation-billing'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatMoney } from '@portal/format/money'
import { formatMonth } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { EmptyState } from '@portal/ui/empty-state'
import { type Column, Table } from '@portal/ui/table'
import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { billing } from '../../parts/organisation-work-endpoints.ts'

const amounts = [
  ['opening', 'Opening'],
  ['credits', 'Credits'],
  ['debits', 'Debits'],
  ['closing', 'Closing'],
] as const

/** The list of monthly statements. */
export function Statements({ organisation: { id } }: { organisation: OwnOrganisation }) {
  const list = useQuery(q(billing.statements, { params: { id } }))
  const columns: Column<Statement>[] = [
    {
      key: 'month',
      header: 'Month',
      rowHeader: true,
      cell: ({ month, final }) => (
        <>
          <Link to={organisationPath(id, 'statements', month)}>{formatMonth(month)}</Link>
          {!final && ' (not final)'}
        </>
      ),
    },
    ...amounts.map(
      ([key, header]): Column<Statement> => ({
        key,
        header,
        align: 'end',
        nowrap: true,
        cell: statement => formatMoney(statement[key], statement.currency),
      }),
    ),
  ]
  if (list.isError && !list.data)
    return <LoadFailure title="The statements could not be loaded" query={list} />
  return (
    <Table
      caption="Statements"
      captionHidden
      columns={columns}
      rows={list.data?.statements}
      rowKey={({ month }) => month}
      loading={list.isPending}
      empty={
        <EmptyState title="No statements yet" icon={ReceiptText}>
          A statement is listed for each calendar month with movements.
        </EmptyState>
      }
    />
  )
}
