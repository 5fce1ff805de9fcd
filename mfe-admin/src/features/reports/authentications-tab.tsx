import { ListScreen } from '@portal/account-ui/list-screen'
import type { Authentication } from '@portal/contract/admin-reports'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { formatMoneyOrNone } from '@portal/format/money'
import { statusDisplay } from '@portal/format/status'
import { fullName } from '@portal/format/text'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Code } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import { type Column, Table } from '@portal/ui/table'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { ListedNumber, Moment } from '../../parts/optional-values.tsx'
import { authenticationResults, isFiltered } from './report-params.ts'
import styles from './reports.module.css'
import { type Notice, TabFilters } from './tab-filters.tsx'
import type { TabProps } from './tab-props.ts'
import { TransactionButton } from './transaction-button.tsx'
import { useAuthentications } from './use-reports.ts'

const STATUS_FILTER = {
  name: 'status',
  label: 'Status',
  placeholder: 'All results',
  options: authenticationResults.map(value => ({ value, label: statusDisplay(value).label })),
} as const

const buildColumns = (onOpen: (id: string) => void): Column<Authentication>[] => [
  {
    key: 'certificate',
    header: 'Certificate',
    rowHeader: true,
    cell: row => (
      <>
        <ListedNumber number={row.certificate_number} />
        <Moment className={styles.time} at={row.authenticated_at} />
      </>
    ),
  },
  {
    key: 'user',
    header: 'User',
    cell: row => (
      <div className={styles.person}>
        {row.user && <OneLine text={fullName(row.user)} />}
        <span className={lists.secondText}>
          <ListedEmail address={row.user?.email} />
        </span>
      </div>
    ),
  },
  {
    key: 'result',
    header: 'Result',
    cell: row => <Status status={statusDisplay(row.authentication_result)} variant="plain" />,
  },
  {
    key: 'payment',
    header: 'Payment',
    secondary: true,
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
      <>
        <TransactionButton id={row.bpms_transaction_id} onOpen={onOpen} />
        <span className={lists.secondText}>
          <Code>{row.payment_reference}</Code>
        </span>
      </>
    ),
  },
]

/** Tab with all verifications, which can be filtered and exported. */
export function AuthenticationsTab({ params, show, clear }: TabProps) {
  const list = useAuthentications(params)
  const { authentications = [], pagination } = list.data ?? {}
  const [notice, setNotice] = useState<Notice>()
  return (
    <div className={lists.stack}>
      <TabFilters
        params={params}
        show={show}
        label="Filter authentications"
        search={{ label: 'Search', placeholder: 'Number, email or ID' }}
        filter={STATUS_FILTER}
        total={pagination?.total}
        notice={notice}
        onNotice={setNotice}
      />
      <ListScreen
        query={list}
        name="authentications"
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="verification"
        countLimit={params.search === '' ? undefined : MAX_COUNTED}
      >
        {loading => (
          <Table
            caption="Authentications"
            captionHidden
            columns={buildColumns(transaction => show({ transaction, page: params.page }))}
            rows={authentications}
            rowKey={row => row.id}
            loading={loading}
            skeletonRows={8}
            empty={
              <EmptyState
                title="No verifications"
                icon={SearchX}
                action={isFiltered(params) && <Button onClick={clear}>Clear filters</Button>}
              >
                {isFiltered(params)
                  ? 'No verifications match these filters.'
                  : 'No verifications in this period.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
