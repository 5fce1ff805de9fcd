import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { Authentication } from '@portal/contract/admin-reports'
import { formatMoneyOrNone } from '@portal/format/money'
import { statusDisplay } from '@portal/format/status'
import { fullName } from '@portal/format/text'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Status } from '@portal/ui/badge'
import { EmptyState } from '@portal/ui/empty-state'
import { TransactionId } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import lists from './list.module.css'
import { ListedEmail } from './listed-email.tsx'
import { ListedNumber, Moment } from './optional-values.tsx'
import { reports } from './screen-endpoints.ts'

const PER_PAGE = 20

interface Props {
  /** Selects the verifications by certificate number or by account. */
  filter: { certificate_number: string } | { user_id: string }
  page: number
  onPage: (page: number, replace?: boolean) => void
}

const transactionPath = (id: string) =>
  `${paths.dashboard('reports')}?${new URLSearchParams({ tab: 'transactions', transaction: id })}`

const certificateColumn: Column<Authentication> = {
  key: 'certificate',
  header: 'Certificate',
  rowHeader: true,
  cell: row => (
    <>
      <ListedNumber number={row.certificate_number} />
      <Moment className={lists.second} at={row.authenticated_at} />
    </>
  ),
}

const requesterColumn: Column<Authentication> = {
  key: 'user',
  header: 'Requester',
  rowHeader: true,
  cell: row => (
    <span className={lists.text}>
      {row.user && <OneLine text={fullName(row.user)} />}
      <span className={lists.second}>
        <ListedEmail address={row.user?.email} />
      </span>
      <Moment className={lists.second} at={row.authenticated_at} />
    </span>
  ),
}

const resultColumns: readonly Column<Authentication>[] = [
  {
    key: 'result',
    header: 'Result',
    cell: row => <Status status={statusDisplay(row.authentication_result)} variant="plain" />,
  },
  {
    key: 'payment',
    header: 'Payment',
    cell: row => <Status status={statusDisplay(row.payment_status)} variant="plain" />,
  },
  {
    key: 'amount',
    header: 'Amount paid',
    align: 'end',
    nowrap: true,
    cell: row => formatMoneyOrNone(row.amount_paid),
  },
  {
    key: 'transaction',
    header: 'Transaction',
    cell: row => (
      <TransactionId
        id={row.bpms_transaction_id}
        short
        copy
        wrap={shown => <Link to={transactionPath(row.bpms_transaction_id)}>{shown}</Link>}
      />
    ),
  },
]

/** The verifications of one certificate or account. */
export function VerificationList({ filter, page, onPage }: Props) {
  const query = useQuery({
    ...q(reports.authentications, { query: { ...filter, page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <ListScreen query={query} page={page} onPage={onPage} noun="verification attempt">
      {loading => (
        <Table
          caption="Verifications"
          captionHidden
          columns={['user_id' in filter ? certificateColumn : requesterColumn, ...resultColumns]}
          rows={query.data?.authentications}
          rowKey={row => row.id}
          loading={loading}
          skeletonRows={3}
          empty={
            <EmptyState title="No verifications yet" icon={SearchX}>
              {'user_id' in filter
                ? 'This account has no verifications yet.'
                : 'No one has verified this certificate yet.'}
            </EmptyState>
          }
        />
      )}
    </ListScreen>
  )
}
